# SPDX-License-Identifier: MIT
"""The tables of docs/accuracy.md and README.md, between the markers `<!-- accuracy:NAME -->` and `<!-- end -->`."""
import re

import measure
import simulated_cases
import traced_cases

ORDER = [model.name for model in simulated_cases.MODELS] + [simulated_cases.CALIBRATED,
                                                                *simulated_cases.SIMGRID.values()]

BASELINES = ["raw", simulated_cases.BEST_AFFINE, simulated_cases.NO_CONTENTION, simulated_cases.CALIBRATED]


def models_of(errors):
    return [model for model in ORDER if errors.get(model)]


def number(value):
    if value is None:
        return ""
    return f"{value:.1f}" if value < 99.95 else f"{value:,.0f}"


def table(head, rows, words):
    lines = [f"| {' | '.join(head)} |", f"|{'|'.join([' --- '] * words + [' ---: '] * (len(head) - words))}|"]
    return "\n".join(lines + [f"| {' | '.join(row)} |" for row in rows])


def errors_table(report, errors, spreads, names, first, models=None):
    models = models or models_of(report[errors])
    has_sessions = any(one["sessions"] is not None for one in report[spreads].values())
    head = [*first, *models, "p10 to p90", *["sessions"] * has_sessions]
    rows = []
    for name in names:
        words = name.split(", ")
        if name not in report[spreads]:
            continue
        cells = []
        for model in models:
            one = report[errors][model].get(name)
            cells.append(f"{number(one['mape'])} ({number(one['logarithmic'])})" if one else "")
        own = report[spreads][name]
        rows.append([*words, *cells, number(own["p10_to_p90"]), *[number(own["sessions"])] * has_sessions])
    return table(head, rows, len(first))


def overview(report):
    return errors_table(report, "groups", "spread", simulated_cases.GROUPS, ["group"])


def places(report):
    names = [f"{platform}, {library}, {group}" for platform in measure.PLATFORMS for library in measure.LIBRARIES
             for group in simulated_cases.GROUPS]
    return errors_table(report, "places", "spread_of_places", names, ["platform", "MPI", "group"])


def cases(report):
    names = [f"{group}, {case}" for group, members in simulated_cases.GROUPS.items() for case in members]
    return errors_table(report, "cases", "spread_of_cases", names, ["group", "case"])


def baselines(report):
    names = [f"{platform}, {group}" for platform in measure.PLATFORMS
             for group in (measure.MANY_RANKS if platform in measure.JOBS else simulated_cases.GROUPS)]
    names += [f"all, {case}" for case in measure.APPLICATIONS]
    return errors_table(report, "baselines", "spread_of_baselines", names, ["platform", "cases"], BASELINES)


def band(report):
    """Parts of the cases whose simulated time lies between the least and the 90 % quantile of the real ones."""
    models = models_of(report["groups"])
    rows = [[group, *(number(report["groups"][model][group]["inside_band"]) for model in models)]
            for group in simulated_cases.GROUPS if group in report["spread"]]
    return table(["group", *models], rows, 1)


def signed(value):
    return f"{value:+.1f}" if abs(value) >= 0.05 else "0.0"


def traces(report):
    """Real runs, and the parts of the errors of the replays in percent."""
    models = list(report["mean_errors_of_traces"])
    groups = (traced_cases.GROUP, traced_cases.COMPUTATION, traced_cases.COMMUNICATION)
    head = ["platform", "MPI", "program", "ranks", "real", "spread", "computation",
            *(f"{model}{group.removeprefix(traced_cases.GROUP)}" for model in models for group in groups)]
    rows = []
    for real, errors in report["traces"]:
        part = 100 * simulated_cases.mean(real.computed) / real.seconds
        rows.append([*map(str, real.place), f"{1000 * real.seconds:.1f} ms",
                     number(100 * (real.highest / real.least - 1)), number(part),
                     *(signed(errors[model][group]) for model in models for group in groups)])
    spread = simulated_cases.mean(real.highest / real.least - 1 for real, _ in report["traces"])
    rows.append(["all, mean of absolute errors", "", "", "", "", number(100 * spread), "",
                 *(number(report["mean_errors_of_traces"][model][group]) for model in models for group in groups)])
    return table(head, rows, 4)


def put(file, parts):
    text = file.read_text(encoding="utf-8")
    for name, part in parts.items():
        mark = f"<!-- accuracy:{name} -->"
        text, count = re.subn(f"{re.escape(mark)}.*?<!-- end -->", lambda _: f"{mark}\n{part}\n<!-- end -->", text,
                              flags=re.DOTALL)
        if count != 1:
            raise SystemExit(f"accuracy: {file}: {count} places {mark} ... <!-- end -->; expected: 1")
    file.write_text(text, encoding="utf-8")


def write(report, root):
    put(root / "docs" / "accuracy.md", {"overview": overview(report), "band": band(report), "places": places(report),
                                        "cases": cases(report), "baselines": baselines(report),
                                        "traces": traces(report)})
    put(root / "README.md", {"overview": overview(report)})

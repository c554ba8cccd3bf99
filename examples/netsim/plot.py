# SPDX-License-Identifier: MIT
"""Charts as SVG files: lines over numbers, and groups of bars. Same data, same bytes."""
import math
from html import escape

COLOURS = ("#1f5fa8", "#c2452d", "#2f8f4e", "#8a56ac", "#b8860b", "#4d4d4d", "#008b8b", "#d2691e",
           "#e377c2")
WIDTH, HEIGHT = 720, 400
LEFT, RIGHT, TOP, BOTTOM = 70, 150, 36, 60  # margins


def short(value):
    """A number of an axis: 1e-05, 0.25, 1,000."""
    if value != 0 and (abs(value) < 1e-3 or abs(value) >= 1e6):
        return f"{value:.0e}"
    return f"{value:,.6g}"


def steps_between(low, high):
    """Round numbers from low to high, about six."""
    size = 10 ** math.floor(math.log10((high - low) / 4))
    step = next(size * factor for factor in (1, 2, 5, 10) if (high - low) / (size * factor) <= 7)
    first = math.ceil(low / step - 1e-9)
    return [round(step * i, 12) for i in range(first, math.floor(high / step + 1e-9) + 1)]


class Axis:
    def __init__(self, low, high, begin, end, is_log):
        self.is_log, self.begin, self.end = is_log, begin, end
        if high <= low:
            high = low + (abs(low) or 1)
        self.low, self.high = (math.log10(low), math.log10(high)) if is_log else (low, high)

    def place(self, value):
        value = math.log10(value) if self.is_log else value
        return self.begin + (self.end - self.begin) * (value - self.low) / (self.high - self.low)

    def marks(self):
        if not self.is_log:
            return steps_between(self.low, self.high)
        decades = [10.0 ** i for i in range(math.ceil(self.low - 1e-9), math.floor(self.high + 1e-9) + 1)]
        if len(decades) >= 3:
            return decades
        return [factor * 10.0 ** i for i in range(math.floor(self.low), math.ceil(self.high) + 1)
                for factor in (1, 2, 5) if self.low - 1e-9 <= math.log10(factor) + i <= self.high + 1e-9]


class Picture:
    def __init__(self, title, x_label, y_label):
        self.parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
                      'font-family="sans-serif" font-size="12">',
                      f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>']
        self.text(WIDTH / 2 - 40, 20, title, "middle", 14)
        self.text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 14, x_label, "middle")
        self.parts.append(f'<text transform="translate(16,{(TOP + HEIGHT - BOTTOM) / 2:.1f}) rotate(-90)" '
                          f'text-anchor="middle">{escape(y_label)}</text>')

    def text(self, x, y, text, anchor="start", size=12):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}">'
                          f'{escape(text)}</text>')

    def line(self, x1, y1, x2, y2, colour="#dddddd"):
        self.parts.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"/>')

    def y_axis(self, axis):
        for value in axis.marks():
            self.line(LEFT, axis.place(value), WIDTH - RIGHT, axis.place(value))
            self.text(LEFT - 6, axis.place(value) + 4, short(value), "end")

    def x_axis(self, axis):
        for value in axis.marks():
            self.line(axis.place(value), TOP, axis.place(value), HEIGHT - BOTTOM)
            self.text(axis.place(value), HEIGHT - BOTTOM + 16, short(value), "middle")

    def legend(self, names):
        for i, name in enumerate(names):
            y = TOP + 10 + 18 * i
            self.parts.append(f'<rect x="{WIDTH - RIGHT + 12}" y="{y - 9}" width="11" height="11" '
                              f'fill="{COLOURS[i % len(COLOURS)]}"/>')
            self.text(WIDTH - RIGHT + 28, y, name)

    def write(self, path):
        self.line(LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM, "black")
        self.line(LEFT, TOP, LEFT, HEIGHT - BOTTOM, "black")
        path.write_text("\n".join([*self.parts, "</svg>"]) + "\n")


def lines(path, title, x_label, y_label, series, log_x=False, log_y=False, has_marks=True):
    """`series`: lists of points (x, y) by name."""
    xs = [x for points in series.values() for x, _ in points]
    ys = [y for points in series.values() for _, y in points]
    picture = Picture(title, x_label, y_label)
    x_axis = Axis(min(xs), max(xs), LEFT, WIDTH - RIGHT, log_x)
    y_axis = Axis(min(ys) if log_y else min(0, *ys), max(ys), HEIGHT - BOTTOM, TOP, log_y)
    picture.x_axis(x_axis)
    picture.y_axis(y_axis)
    for i, points in enumerate(series.values()):
        colour = COLOURS[i % len(COLOURS)]
        places = [(x_axis.place(x), y_axis.place(y)) for x, y in points]
        picture.parts.append('<polyline fill="none" stroke-width="2" stroke="{}" points="{}"/>'.format(
            colour, " ".join(f"{x:.1f},{y:.1f}" for x, y in places)))
        for x, y in places if has_marks else []:
            picture.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>')
    picture.legend(series)
    picture.write(path)


def bars(path, title, y_label, groups, series, log_y=False):
    """`series`: a value for each group, by name."""
    values = [value for each in series.values() for value in each]
    low = min(values) / 2 if log_y else min(0, *values)
    picture = Picture(title, "", y_label)
    axis = Axis(low, max(values), HEIGHT - BOTTOM, TOP, log_y)
    picture.y_axis(axis)
    wide = (WIDTH - RIGHT - LEFT) / len(groups)
    bar = 0.8 * wide / len(series)
    for i, values in enumerate(series.values()):
        for group, value in enumerate(values):
            x = LEFT + wide * group + 0.1 * wide + bar * i
            y, base = axis.place(value), axis.place(low if log_y else 0)
            picture.parts.append(f'<rect x="{x:.1f}" y="{min(y, base):.1f}" width="{bar:.1f}" '
                                 f'height="{abs(base - y):.1f}" fill="{COLOURS[i % len(COLOURS)]}"/>')
    for group, name in enumerate(groups):
        picture.text(LEFT + wide * (group + 0.5), HEIGHT - BOTTOM + 16, name, "middle")
    picture.legend(series)
    picture.write(path)

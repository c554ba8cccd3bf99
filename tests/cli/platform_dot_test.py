#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rehearse platform show --dot: the language of Graphviz, read by its grammar, and what the graph shows."""
import re
import shutil
import subprocess

from checking import WithPrograms

import closing_line

TOKEN = re.compile(r'\s*(?:("(?:[^"\\]|\\.)*")|([A-Za-z_][A-Za-z_0-9]*|[0-9.]+)|(--)|([{}\[\]=;,]))')


class DotReader:
    """Reads the part of the grammar that undirected graphs need: https://graphviz.org/doc/info/lang.html"""

    def __init__(self, text):
        self.tokens, at = [], 0
        text = text.rstrip()
        while at < len(text):
            token = TOKEN.match(text, at)
            if not token:
                raise ValueError(f"not a token: {text[at:at + 40]!r}")
            self.tokens.append(token.group().strip())
            at = token.end()
        self.nodes, self.edges, self.clusters = {}, [], {}
        self.take("graph")
        self.identifier()
        self.statements(None)
        if self.tokens:
            raise ValueError(f"behind the graph: {self.tokens[:3]}")

    def take(self, expected=None):
        token = self.tokens.pop(0)
        if expected and token != expected:
            raise ValueError(f"{expected} expected, {token} found")
        return token

    def identifier(self):
        token = self.take()
        if token in ("{", "}", "[", "]", "=", ";", ",", "--"):
            raise ValueError(f"identifier expected, {token} found")
        return token[1:-1] if token.startswith('"') else token

    def attributes(self):
        found = {}
        if self.tokens[0] == "[":
            self.take("[")
            while self.tokens[0] != "]":
                name = self.identifier()
                self.take("=")
                found[name] = self.identifier()
                if self.tokens[0] == ",":
                    self.take()
            self.take("]")
        return found

    def statements(self, cluster):
        self.take("{")
        while self.tokens[0] != "}":
            self.statement(cluster)
        self.take("}")

    def statement(self, cluster):
        name = self.identifier()
        if name == "subgraph":
            return self.statements(self.identifier())
        if self.tokens[0] == "=":
            self.take()
            self.clusters[cluster] = self.identifier()
        elif self.tokens[0] == "--":
            self.take()
            self.edges.append((name, self.identifier(), self.attributes()))
        else:
            attributes = self.attributes()
            if name not in ("node", "edge"):
                self.nodes[name] = (cluster, attributes)
        self.take(";")
        return None


class Dot(WithPrograms):
    def drawn(self, *words):
        text = self.rehearse("platform", "show", *words, "--dot", "-").stdout
        if shutil.which("dot"):
            subprocess.run(["dot", "-Tplain"], input=text, text=True, capture_output=True, check=True)
        graph = DotReader(text)
        for source, destination, _ in graph.edges:
            self.assertIn(source, graph.nodes)
            self.assertIn(destination, graph.nodes)
        return graph

    def test_a_generated_graph_has_its_nodes_and_links(self):
        self.rehearse("platform", "generate", "waxman", "--nodes", "20", "--promote", "host:0-3:1", "-o", "net.xml")
        graph = self.drawn("net.xml")
        labels = [attributes["label"] for _, attributes in graph.nodes.values()]
        self.assertEqual(len(labels), 20)
        self.assertEqual(graph.clusters, {"cluster_0": "world"})
        text = (self.folder / "net.xml").read_text()
        self.assertEqual(sorted(label.split("\\n")[0] for label in labels),
                         sorted(re.findall(r'<(?:host|router) id="([^"]+)"', text)))
        self.assertEqual(sorted(attributes["label"].split("\\n")[0] for _, _, attributes in graph.edges),
                         sorted(re.findall(r'<link id="([^"]+)"', text)))
        # Hosts are boxes with their speed, routers have neither.
        for _, attributes in graph.nodes.values():
            self.assertEqual("Gflop/s" in attributes["label"], attributes["shape"] == "box")

    def test_zones_are_clusters_or_single_nodes_if_they_are_large(self):
        file = self.write("two.xml", """<platform version="4.1"><zone id="out&quot;er" routing="Full">
<cluster id="big" prefix="b" suffix="" radical="0-299" speed="1Gf" bw="1GBps" lat="1us" router_id="r"/>
<zone id="in" routing="Full"><host id="h" speed="1Gf"/></zone>
<link id="l" bandwidth="1GBps" latency="1ms"/>
<zoneRoute src="big" dst="in" gw_src="r" gw_dst="h"><link_ctn id="l"/></zoneRoute></zone></platform>""")
        graph = self.drawn(file)
        self.assertEqual(sorted(attributes["label"] for _, attributes in graph.nodes.values()),
                         ["big\\n300 hosts", "h\\n1 x 1 Gflop/s"])
        self.assertEqual(sorted(graph.clusters.values()), ["in", 'out\\"er'])
        self.assertEqual([attributes["label"] for _, _, attributes in graph.edges], ["l\\n1 GB/s, 1 ms"])
        self.assertEqual(len(self.drawn(file, "--dot-points", "400").nodes), 302)

    def test_interconnects_and_large_clusters_can_be_drawn(self):
        self.assertEqual(len(self.drawn("torus:3x3").edges), 18)
        self.assertEqual(len(self.drawn("dragonfly:2x2x2x2").edges), 25)
        self.assertEqual(len(self.drawn("cluster:100000").nodes), 1)

    def test_a_graph_goes_to_a_file_beside_the_text(self):
        done = self.rehearse("platform", "show", "cluster:4", "--dot", "four.dot")
        self.assertIn("4 hosts", done.stdout)
        self.assertEqual(len(DotReader((self.folder / "four.dot").read_text()).nodes), 6)
        wrong = self.rehearse("platform", "show", "cluster:4", "--quiet", "--dot", "/no/such/file", status=2)
        self.assert_one_error(wrong, "--dot", "/no/such/file")
        self.assert_one_error(self.rehearse("platform", "show", "cluster:4", "--dot-points", "0", status=2),
                              "--dot-points", "'0'")

    def test_the_reader_refuses_what_is_not_dot(self):
        for wrong in ('graph "a" { n0 -- ; }', 'graph "a" { n0 [label="x]; }', 'graph "a" { n0 n1; }',
                      'graph "a" {} }'):
            with self.assertRaises((ValueError, IndexError)):
                DotReader(wrong)


if __name__ == "__main__":
    closing_line.main()

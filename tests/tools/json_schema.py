# SPDX-License-Identifier: MIT
"""The part of JSON Schema (2020-12) that our schemas use, so that tests need nothing that is not in the clone.

A keyword that is not known here is an error: a schema cannot ask for what nobody looks at.
"""
import re

ANNOTATIONS = {"$schema", "$id", "$defs", "title", "description", "examples", "$comment"}
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}


def is_type(value, name):
    if name == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    if name == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


class Schema:
    def __init__(self, document):
        self.document = document
        self.keywords = {
            "type": self.type, "enum": self.enum, "const": self.const, "minimum": self.minimum,
            "maximum": self.maximum, "pattern": self.pattern, "minLength": self.min_length,
            "properties": self.properties, "required": self.required,
            "additionalProperties": self.additional_properties, "items": self.items, "minItems": self.min_items,
            "uniqueItems": self.unique_items, "$ref": self.ref, "anyOf": self.any_of}

    def errors(self, value, schema=None, place="$"):
        """What is wrong with the value, each with its place."""
        schema = self.document if schema is None else schema
        if schema is True:
            return []
        unknown = set(schema) - set(self.keywords) - ANNOTATIONS
        assert not unknown, f"unknown keywords {unknown}"
        return [error for keyword, content in schema.items() if keyword in self.keywords
                for error in self.keywords[keyword](value, content, place, schema)]

    def type(self, value, content, place, _):
        names = content if isinstance(content, list) else [content]
        if not any(is_type(value, name) for name in names):
            yield f"{place}: {value!r} is no {' or '.join(names)}"

    def enum(self, value, content, place, _):
        if value not in content:
            yield f"{place}: {value!r} is none of {content}"

    def const(self, value, content, place, _):
        if value != content:
            yield f"{place}: {value!r} is not {content!r}"

    def minimum(self, value, content, place, _):
        if is_type(value, "number") and value < content:
            yield f"{place}: {value} is less than {content}"

    def maximum(self, value, content, place, _):
        if is_type(value, "number") and value > content:
            yield f"{place}: {value} is more than {content}"

    def pattern(self, value, content, place, _):
        if isinstance(value, str) and not re.search(content, value):
            yield f"{place}: {value!r} does not match {content}"

    def min_length(self, value, content, place, _):
        if isinstance(value, str) and len(value) < content:
            yield f"{place}: {value!r} is too short"

    def properties(self, value, content, place, _):
        for key, inner in content.items():
            if isinstance(value, dict) and key in value:
                yield from self.errors(value[key], inner, f"{place}.{key}")

    def required(self, value, content, place, _):
        for key in content:
            if isinstance(value, dict) and key not in value:
                yield f"{place}: {key} is missing"

    def additional_properties(self, value, content, place, schema):
        for key in value if isinstance(value, dict) else ():
            if key not in schema.get("properties", {}):
                if content is False:
                    yield f"{place}: {key} is not known"
                else:
                    yield from self.errors(value[key], content, f"{place}.{key}")

    def items(self, value, content, place, _):
        for index, each in enumerate(value if isinstance(value, list) else ()):
            yield from self.errors(each, content, f"{place}[{index}]")

    def min_items(self, value, content, place, _):
        if isinstance(value, list) and len(value) < content:
            yield f"{place}: fewer than {content}"

    def unique_items(self, value, content, place, _):
        if content and isinstance(value, list) and any(value[i] in value[:i] for i in range(len(value))):
            yield f"{place}: the same twice"

    def ref(self, value, content, place, _):
        assert content.startswith("#/")
        target = self.document
        for part in content[2:].split("/"):
            target = target[part]
        yield from self.errors(value, target, place)

    def any_of(self, value, content, place, _):
        if all(list(self.errors(value, each, place)) for each in content):
            yield f"{place}: {value!r} fits none of the alternatives"

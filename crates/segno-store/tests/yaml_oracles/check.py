"""Reads JSON lines {"text", "want"} and reports each text that a Python YAML reader reads as other data."""

import json
import sys

readers = {}
try:
    import yaml

    readers["pyyaml"] = lambda text: yaml.load(text, yaml.SafeLoader)
    if getattr(yaml, "__with_libyaml__", False):
        readers["pyyaml-c"] = lambda text: yaml.load(text, yaml.CSafeLoader)
except ImportError:
    pass
try:
    from ruamel.yaml import YAML

    def ruamel(version):
        def read(text):
            reader = YAML(typ="safe", pure=True)
            reader.version = version
            return reader.load(text)

        return read

    readers["ruamel-1.2"] = ruamel((1, 2))
    readers["ruamel-1.1"] = ruamel((1, 1))
except ImportError:
    pass


def same(a, b):
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[k], b[k]) for k in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(map(same, a, b))
    return a == b


print(json.dumps({"readers": sorted(readers)}))
for number, line in enumerate(sys.stdin):
    case = json.loads(line)
    # The two ruamel readers are slow and much alike: they take turns.
    resting = "ruamel-1.2" if number % 2 else "ruamel-1.1"
    for name, read in readers.items():
        if name == resting:
            continue
        try:
            got = read(case["text"])
            if not same(got, case["want"]):
                print(json.dumps({"case": number, "reader": name, "got": repr(got)}))
        except Exception as error:
            print(json.dumps({"case": number, "reader": name, "got": "error: %s" % error}))

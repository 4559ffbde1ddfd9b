// Reads JSON lines {"text", "want"} and reports each text that js-yaml, as YAML 1.2 or 1.1, reads as other data.
const { isDeepStrictEqual, inspect } = require("node:util");
const readers = {};
try {
  const yaml = require("js-yaml");
  readers["js-yaml-1.2"] = (text) => yaml.load(text);
  if (yaml.YAML11_SCHEMA) {
    readers["js-yaml-1.1"] = (text) => yaml.load(text, { schema: yaml.YAML11_SCHEMA });
  }
} catch (error) {
  // Not installed: the list of readers says so.
}
const plain = (value) => JSON.parse(JSON.stringify(value));
const say = (object) => process.stdout.write(JSON.stringify(object) + "\n");
say({ readers: Object.keys(readers) });
const lines = require("node:fs").readFileSync(0, "utf8").split("\n");
lines.forEach((line, number) => {
  if (line === "") return;
  const { text, want } = JSON.parse(line);
  for (const [name, read] of Object.entries(readers)) {
    try {
      const got = read(text);
      const comparable = got === null || got === undefined ? got : plain(got);
      if (!isDeepStrictEqual(comparable, want)) say({ case: number, reader: name, got: inspect(got, { depth: 9 }) });
    } catch (error) {
      say({ case: number, reader: name, got: "error: " + error.message });
    }
  }
});

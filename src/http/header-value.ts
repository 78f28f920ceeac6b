/** A header of the form `value; name=token; name="quoted text"`; value and names in lower case. */
export interface HeaderValue {
  value: string;
  parameters: ReadonlyMap<string, string>;
}

/** Reads Content-Type, Content-Disposition and their like; undefined when malformed or when a parameter is repeated. */
export function parseHeaderValue(text: string | undefined): HeaderValue | undefined {
  const [value = ''] = /^[^;]*/.exec(text ?? '') ?? [];
  if (text === undefined || !VALUE.test(value.trim())) return undefined;
  const parameters = new Map<string, string>();
  let at = value.length;
  while (at < text.length) {
    PARAMETER.lastIndex = at;
    const found = PARAMETER.exec(text);
    if (!found) return /^[;\s]*$/.test(text.slice(at)) ? { value: value.trim().toLowerCase(), parameters } : undefined;
    const name = found[1]!.toLowerCase();
    if (parameters.has(name)) return undefined;
    parameters.set(name, found[2]?.replace(QUOTED_PAIR, '$1') ?? found[3]!);
    at = PARAMETER.lastIndex;
  }
  return { value: value.trim().toLowerCase(), parameters };
}

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const VALUE = new RegExp(`^${TOKEN}(?:/${TOKEN})?$`);
const PARAMETER = new RegExp(`\\s*;\\s*(${TOKEN})\\s*=\\s*(?:"((?:[^"\\\\]|\\\\[^])*)"|([^\\s;"]+))`, 'y');
// Only these two: old browsers sent `C:\folder\name` without doubling the backslashes.
const QUOTED_PAIR = /\\(["\\])/g;

/** Browsers escape exactly these three in forms (HTML standard, "escape a multipart/form-data name"). */
export function unescapedName(name: string): string {
  return name.replace(/%22/g, '"').replace(/%0D/gi, '\r').replace(/%0A/gi, '\n');
}

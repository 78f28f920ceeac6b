import { expect } from '@jest/globals';

interface CurlRequest {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** Parses a `curl` command of a guide as a request, with the values of the shell's variables. */
export function curlRequest(command: string, values: Readonly<Record<string, string>>): CurlRequest {
  const words = [...command.trim().matchAll(/(?:'[^']*'|"(?:[^"\\]|\\.)*"|[^\s'"]+)+/g)]
    .map(([word]) =>
      word.replaceAll(
        /'([^']*)'|"((?:[^"\\]|\\.)*)"|([^'"]+)/g,
        (_whole, literal, quoted, bare) => literal ?? expanded(quoted?.replaceAll('\\"', '"') ?? bare, values),
      ),
    )
    .filter((word) => word !== '\\');
  expect(words.shift()).toBe('curl');
  const request: CurlRequest = { url: '', method: 'GET', headers: {}, body: undefined };
  while (words.length > 0) {
    const word = words.shift()!;
    if (word === '-X') request.method = words.shift()!;
    else if (word === '-o') words.shift();
    else if (word === '-d') {
      request.body = words.shift()!;
      if (request.method === 'GET') request.method = 'POST';
    } else if (word === '-H') {
      const [name, value] = words.shift()!.split(': ') as [string, string];
      request.headers[name] = value;
    } else if (word !== '-i') request.url = word.replace('http://localhost:4000', '');
  }
  return request;
}

function expanded(word: string, values: Readonly<Record<string, string>>): string {
  return word.replaceAll(/\$([A-Za-z_]+)/g, (_sign, name: string) => values[name] ?? '');
}

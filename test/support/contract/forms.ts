/** One field of a form. */
export interface Field {
  name: string;
  text: string;
  /** The declared media type of the part. */
  type?: string;
}

/** The fields of a form in either of its encodings, parsed simply; bytes of files are one character each. */
export function readForm(mediaType: string, contentType: string, body: Uint8Array): Field[] {
  if (mediaType === 'application/x-www-form-urlencoded') {
    const fields = new URLSearchParams(Buffer.from(body).toString());
    return [...fields].map(([name, text]) => ({ name, text }));
  }
  const [, quoted, bare] = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType) ?? [];
  const parts = `\r\n${Buffer.from(body).toString('latin1')}`.split(`\r\n--${quoted ?? bare}`).slice(1);
  return parts.filter((part) => !part.startsWith('--') && !NO_FILE.test(part)).map(fieldOf);
}

/** The part that a browser sends for an empty file input. */
const NO_FILE = /^[^]*?;\s*filename=""[^]*?\r\n\r\n$/;

function fieldOf(part: string): Field {
  const end = part.indexOf('\r\n\r\n');
  const head = part.slice(0, end);
  const [, quoted, bare] = /[;\s]name=(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(head) ?? [];
  const [, type] = /^content-type:\s*([^;\s]+)/im.exec(head) ?? [];
  return { name: quoted ?? bare ?? '', text: part.slice(end + 4), ...(type !== undefined && { type }) };
}

import { isUtf8 } from 'node:buffer';
import { badUserInput } from '../../errors.js';
import { ByteCollector } from './byte-collector.js';
import type { ByteSource } from './byte-source.js';
import { parseHeaderValue, type HeaderValue } from './header-value.js';
import { shownName } from './upload-fields.js';

/** What stands before a part's body. */
export interface PartHead {
  name: string;
  /** A part with a file name, or of type application/octet-stream, is a file; every other is a text field. */
  isFile: boolean;
  filename?: string;
  /** Media type without parameters, in lower case. */
  contentType?: string;
}

/** Reads the rest of a delimiter's line and the header block that follows it. */
export async function readPartHead(source: ByteSource): Promise<PartHead> {
  const budget = new ByteCollector();
  if (!/^[ \t]*$/.test(await readLine(source, budget))) throw malformed();
  const headers = new Map<string, string>();
  let name = '';
  for (let line = await readLine(source, budget); line !== ''; line = await readLine(source, budget)) {
    const folded = /^[ \t]/.test(line);
    const colon = line.indexOf(':');
    if (folded ? name === '' : !FIELD_NAME.test(line.slice(0, Math.max(colon, 0)))) throw malformed();
    if (!folded) name = line.slice(0, colon).toLowerCase();
    if (!folded && headers.has(name)) throw malformed();
    headers.set(name, folded ? `${headers.get(name)} ${line.trim()}` : line.slice(colon + 1).trim());
  }
  return describe(headers);
}

const malformed = () => badUserInput(['The body is not valid multipart form data']);
const MAX_HEAD_BYTES = 16 * 1024;
const LF = 0x0a;
const FIELD_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const IDENTITY_ENCODINGS = new Set(['7bit', '8bit', 'binary']);

/** One line without its CRLF. `budget` holds the whole head, so that no number of lines may exceed its limit. */
async function readLine(source: ByteSource, budget: ByteCollector): Promise<string> {
  const start = budget.length;
  for (let found = -1; found < 0;) {
    if (!(await source.ensure(1))) throw malformed();
    found = source.buffer.indexOf(LF, source.at);
    const piece = source.buffer.subarray(source.at, found < 0 ? source.buffer.length : found + 1);
    if (budget.length + piece.length > MAX_HEAD_BYTES) throw malformed();
    budget.add(piece);
    source.discard(piece.length);
  }
  const line = budget.bytes().subarray(start);
  const text = isUtf8(line) ? line.toString('utf8') : line.toString('latin1');
  if (!text.endsWith('\r\n')) throw malformed();
  return text.slice(0, -2);
}

function describe(headers: ReadonlyMap<string, string>): PartHead {
  const disposition = parseHeaderValue(headers.get('content-disposition'));
  const name = disposition?.parameters.get('name');
  if (disposition?.value !== 'form-data' || name === undefined) throw malformed();
  const type = parseHeaderValue(headers.get('content-type'));
  const encoding = headers.get('content-transfer-encoding')?.toLowerCase() ?? 'binary';
  const shown = shownName(formDataText(name));
  if (!IDENTITY_ENCODINGS.has(encoding)) throw badUserInput([`${shown} must not have a Content-Transfer-Encoding`]);
  const filename = filenameOf(disposition);
  const isFile = filename !== undefined || type?.value === 'application/octet-stream';
  if (!isFile && !isUnicode(type)) throw badUserInput([`${shown} must be UTF-8`]);
  return {
    name: formDataText(name),
    isFile,
    ...(filename !== undefined && { filename }),
    ...(type && { contentType: type.value }),
  };
}

function isUnicode(type: HeaderValue | undefined): boolean {
  return ['utf-8', 'utf8', 'us-ascii'].includes(type?.parameters.get('charset')?.toLowerCase() ?? 'utf-8');
}

function filenameOf({ parameters }: HeaderValue): string | undefined {
  const plain = parameters.get('filename');
  return extendedText(parameters.get('filename*')) ?? (plain === undefined ? undefined : formDataText(plain));
}

// Browsers escape exactly these three (HTML standard, "escape a multipart/form-data name").
function formDataText(text: string): string {
  return text.replace(/%22/g, '"').replace(/%0D/gi, '\r').replace(/%0A/gi, '\n');
}

// RFC 8187 spelling. RFC 7578 forbids it in forms, yet some clients send it beside a plain name that says less.
function extendedText(text: string | undefined): string | undefined {
  const [, encoded] = /^utf-8'[^']*'(.*)$/i.exec(text ?? '') ?? [];
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

import { decodeBase64 } from '../../common/base64.js';
import { badUserInput, notJson } from '../../errors.js';
import { ContentCutter, cutContents, markOf, MAX_FIELD_BYTES } from '../../http/json-content.js';
import { objectIn, type UnreadRequest } from '../../http/request-body.js';
import type { DocumentFields } from './document-fields.js';
import { auditJson } from './json.js';

/**
 * Reads a document as JSON without having it in memory as a whole (docs/adr/0023): the first string that is longer than
 * a field may be is decoded as it comes; the rest is parsed with a mark in its place. Throws BAD_USER_INPUT,
 * INVALID_BASE64, FILE_TOO_LARGE.
 */
export async function* jsonContent(
  request: UnreadRequest,
  fields: DocumentFields,
  limits: { maxBytes: number; maxOverhead: number; tooLarge(): Error },
): AsyncGenerator<Buffer> {
  const cutter = new ContentCutter({ ...limits, contents: 1 });
  for await (const { content } of cutContents(request, cutter)) if (content.length > 0) yield content;
  const content = readFields(cutter, fields);
  if (content.length > 0) yield content;
}

/** Reads the fields of the rest; returns a content that was too short to be cut out. */
function readFields(cutter: ContentCutter, fields: DocumentFields): Buffer {
  const rest = cutter.rest();
  if (rest.length === 0) throw notJson();
  const { value, errors } = auditJson(rest);
  const given = objectIn(value);
  for (const error of errors) fields.refuse(error);
  if (errors.includes('content must not be given twice')) throw badUserInput(errors);
  const cut = markOf(0);
  let content: Buffer = NOTHING;
  for (const [name, field] of Object.entries(given)) {
    if (name === cut) throw badUserInput([`A field name must not exceed ${MAX_FIELD_BYTES / 1024} KB`]);
    if (!fields.claim(name) || field === null) continue;
    if (typeof field !== 'string' && name === 'content') fields.refuseContent('content must be a string');
    else if (typeof field !== 'string') fields.refuse(`${name} must be a string`);
    else if (name === 'content') content = field === cut ? cutter.ended(0) : decodeBase64(field);
    else if (field === cut) throw badUserInput([`${name} must not exceed ${MAX_FIELD_BYTES / 1024} KB`]);
    else fields.setText(name, field);
  }
  return content;
}

const NOTHING: Buffer = Buffer.alloc(0);

import type { IncomingFile } from '../../common/incoming-file.js';
import { badUserInput, fileTooLarge } from '../../errors.js';
import { objectIn, type UnreadRequest } from '../../http/request-body.js';
import { LIMITS } from '../../values/limits.js';
import { BracketFields } from './bracket-fields.js';
import { requireMediaType } from './headers.js';
import { bodyTooLarge, MAX_BYTES, parseStrictJson, readJsonBody, shownName } from './json.js';
import { collected, type FormPart, readForm } from './multipart.js';

export interface OrganizationBody {
  /** The fields of specification 2.2 as sent: names in REST's spelling, values of whatever type came. */
  fields: Record<string, unknown>;
  /** The file part `logo` of a multipart body, already in memory. */
  logo?: IncomingFile;
}

/** Reads the body of POST /api/v1/organizations (specification 4.1) from JSON or multipart. Throws BAD_USER_INPUT. */
export async function readOrganizationBody(request: UnreadRequest): Promise<OrganizationBody> {
  const type = requireMediaType(request.headers, ['application/json', 'multipart/form-data']);
  if (type === 'application/json') return { fields: objectIn(await readJsonBody(request)) };
  const form = new OrganizationForm();
  const limits = { maxParts: MAX_PARTS, maxOverhead: MAX_BYTES, tooLarge: () => bodyTooLarge(MAX_BYTES) };
  for await (const part of readForm(request, limits)) await form.add(part);
  return form.body();
}

/** All sectors and industries of specification 2.2 in brackets, and hundreds of contacts, domains and addresses. */
const MAX_PARTS = 2000;

/** A part `data` that is one JSON document, or fields `data[…]`; and a file part `logo`. */
class OrganizationForm {
  readonly #errors = new Set<string>();
  readonly #brackets = new BracketFields(this.#errors);
  #hasBrackets = false;
  #document: string | undefined;
  #logo: IncomingFile | undefined;

  async add(part: FormPart): Promise<void> {
    if (part.name === 'logo' && part.isFile) return this.#addLogo(part);
    // A document may be a file part as well: `curl -F 'data=@organization.json'` sends it so.
    if (part.name === 'data') return this.#addDocument(part);
    if (part.isFile || !BracketFields.matches(part.name)) return this.#refuse(part);
    this.#hasBrackets = true;
    this.#brackets.add(part.name, await part.text(MAX_BYTES));
  }

  body(): OrganizationBody {
    if (this.#hasBrackets && this.#document !== undefined) {
      this.#errors.add('data must be either one JSON document or fields in brackets, not both');
    }
    const fields = this.#fields();
    if (this.#errors.size > 0) throw badUserInput([...this.#errors]);
    return this.#logo ? { fields, logo: this.#logo } : { fields };
  }

  #fields(): Record<string, unknown> {
    const bracketed = this.#brackets.value();
    if (this.#document === undefined || this.#errors.size > 0) return bracketed;
    return objectIn(parseStrictJson(Buffer.from(this.#document)), 'data');
  }

  async #addDocument(part: FormPart): Promise<void> {
    const text = await part.text(MAX_BYTES);
    if (this.#document !== undefined) this.#errors.add('data must not be given twice');
    this.#document = text;
  }

  #refuse({ name }: FormPart): void {
    const isKnown = name === 'logo' || BracketFields.matches(name);
    const wanted = name === 'logo' ? 'must be a file part' : 'must be a text field';
    this.#errors.add(`${shownName(name)} ${isKnown ? wanted : 'is not a known field'}`);
  }

  async #addLogo(part: FormPart): Promise<void> {
    const { maxBytes } = LIMITS.logo;
    const content = await collected(part.content(), maxBytes, () => fileTooLarge(maxBytes));
    if (this.#logo) this.#errors.add('logo must not be given twice');
    // A browser sends an empty file without a name for a file input that was left empty.
    if (content.length === 0 && part.facts().filename === '') return;
    if (content.length === 0) this.#errors.add('logo must not be empty');
    this.#logo = { bytes: bytesOf(content), facts: async () => part.facts() };
  }
}

async function* bytesOf(content: Buffer): AsyncGenerator<Buffer> {
  yield content;
}

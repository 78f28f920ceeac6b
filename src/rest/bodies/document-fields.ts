import type { FileFacts } from '../../common/incoming-file.js';
import { badUserInput, missingContent } from '../../errors.js';
import { MAX_FIELD_BYTES } from '../../http/json-content.js';
import { shownName, textError } from './json.js';

/** More fields or parts end the reading of a body. */
export const MAX_FIELDS = 32;

/**
 * The fields of a document upload (specification 4.2) with what is wrong with them, which is reported after the content
 * was read: missing content comes first, broken base64 second, the fields last.
 */
export class DocumentFields {
  readonly #errors = new Set<string>();
  readonly #given = new Set<string>();
  readonly #texts = new Map<string, string>();
  #offered: FileFacts = {};
  #contentRefused = false;

  /** Announces a field; true when its value is wanted. A second content is refused at once: it may be another one. */
  claim(name: string): boolean {
    if (this.#given.has(name)) {
      this.refuse(`${shownName(name)} must not be given twice`);
      if (name === CONTENT) throw badUserInput([...this.#errors]);
      return false;
    }
    this.#given.add(name);
    if (this.#given.size > MAX_FIELDS) throw badUserInput([`The body must not hold more than ${MAX_FIELDS} fields`]);
    if (KNOWN.has(name)) return true;
    this.refuse(`${shownName(name)} is not a known field`);
    return false;
  }

  /** Keeps one message; all of them are reported together. */
  refuse(message: string): void {
    this.#errors.add(message);
  }

  /** A content of the wrong type: it is there, so it is not missing. */
  refuseContent(message: string): void {
    this.#contentRefused = true;
    this.refuse(message);
  }

  /** Sets the text of a claimed field. */
  setText(name: string, text: string): void {
    if (Buffer.byteLength(text) > MAX_FIELD_BYTES) {
      throw badUserInput([`${name} must not exceed ${MAX_FIELD_BYTES / 1024} KB`]);
    }
    const error = textError(text);
    if (error) this.refuse(`${name} ${error}`);
    else this.#texts.set(name, text);
  }

  /** What a file part says of itself, for what no field says. */
  offer(facts: FileFacts): void {
    this.#offered = facts;
    for (const [key, text] of Object.entries(facts)) {
      const error = textError(String(text));
      if (error) this.refuse(`${key === 'contentType' ? 'content_type' : key} ${error}`);
    }
  }

  /** Called when the content has ended after so many decoded bytes. */
  contentEnded(received: number): void {
    if (received > 0) return;
    throw this.#contentRefused ? badUserInput([...this.#errors]) : missingContent();
  }

  /** Throws BAD_USER_INPUT with every error. */
  facts(): FileFacts {
    if (this.#errors.size > 0) throw badUserInput([...this.#errors]);
    const { filename, contentType } = this.#offered;
    const facts = {
      filename: this.#texts.get('filename') ?? filename,
      contentType: this.#texts.get('content_type') ?? contentType,
      source: this.#texts.get('source'),
    };
    return Object.fromEntries(Object.entries(facts).filter(([, text]) => text !== undefined));
  }
}

const CONTENT = 'content';
const KNOWN = new Set(['filename', CONTENT, 'content_type', 'source']);

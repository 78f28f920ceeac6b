import { badUserInput, missingContent } from '../../errors.js';
import type { FileFacts } from '../../vocabulary/incoming-file.js';

/** A field other than the content may be this long, as it is spelt on the wire. */
export const MAX_FIELD_BYTES = 64 * 1024;
/** So many fields or parts are looked at before a body is given up. */
export const MAX_FIELDS = 32;
/** Everything in a body that is not its content, in all. */
export const MAX_OVERHEAD_BYTES = 256 * 1024;

/**
 * The fields of a document upload (specification 4.2) as they come by, with their faults. A fault in a field is told
 * only after the content was read: missing content comes first, broken base64 second, the fields last.
 */
export class UploadFields {
  readonly #faults = new Set<string>();
  readonly #given = new Set<string>();
  readonly #texts = new Map<string, string>();
  #offered: FileFacts = {};
  #contentRefused = false;

  /** Announces a field; true when its value is wanted. A second content is refused at once: nobody can say which holds. */
  claim(name: string): boolean {
    const shown = shownName(name);
    if (this.#given.has(name)) this.refuse(`${shown} must not be given twice`);
    if (this.#given.has(name) && name === CONTENT) throw badUserInput([...this.#faults]);
    if (this.#given.has(name)) return false;
    this.#given.add(name);
    if (this.#given.size > MAX_FIELDS) throw badUserInput([`The body must not hold more than ${MAX_FIELDS} fields`]);
    if (KNOWN.has(name)) return true;
    this.refuse(`${shown} is not a known field`);
    return false;
  }

  /** Keeps one sentence; all of them are told at once, at the end. */
  refuse(fault: string): void {
    this.#faults.add(fault);
  }

  /** A content of the wrong kind: it is there, so it is not missing. */
  refuseContent(fault: string): void {
    this.#contentRefused = true;
    this.refuse(fault);
  }

  /** Takes a claimed field's text. */
  setText(name: string, text: string): void {
    const fault = textFault(text);
    if (fault) this.refuse(`${name} ${fault}`);
    else this.#texts.set(name, text);
  }

  /** What a file part says of itself; it stands where no field says otherwise. */
  offer(facts: FileFacts): void {
    this.#offered = facts;
    for (const [key, text] of Object.entries(facts)) {
      const fault = textFault(String(text));
      if (fault) this.refuse(`${key === 'contentType' ? 'content_type' : key} ${fault}`);
    }
  }

  /** Called when the content has ended after so many decoded bytes. */
  contentEnded(received: number): void {
    if (received > 0) return;
    throw this.#contentRefused ? badUserInput([...this.#faults]) : missingContent();
  }

  /** Throws BAD_USER_INPUT with every fault. */
  facts(): FileFacts {
    if (this.#faults.size > 0) throw badUserInput([...this.#faults]);
    const { filename, contentType } = this.#offered;
    return present({
      filename: this.#texts.get('filename') ?? filename,
      contentType: this.#texts.get('content_type') ?? contentType,
      source: this.#texts.get('source'),
    });
  }
}

/** The name as a message may carry it: no longer than it is useful, without control characters. */
export function shownName(name: string): string {
  const shown = name.toWellFormed().replace(/\p{Cc}/gu, '\uFFFD');
  if (shown === '') return 'A field without a name';
  return shown.length > 100 ? `${shown.slice(0, 100).toWellFormed()}…` : shown;
}

/** What is wrong with a text whatever its meaning: PostgreSQL stores neither NUL nor half a surrogate pair. */
export function textFault(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain a NUL character';
  if (!text.isWellFormed()) return 'must be valid Unicode text';
  return undefined;
}

const CONTENT = 'content';
const KNOWN = new Set(['filename', CONTENT, 'content_type', 'source']);

function present(facts: Record<keyof FileFacts, string | undefined>): FileFacts {
  return Object.fromEntries(Object.entries(facts).filter(([, text]) => text !== undefined));
}

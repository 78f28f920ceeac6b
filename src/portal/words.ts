import type { IncomingMessage, ServerResponse } from 'node:http';
import { escapeHtml } from '../common/escape-html.js';
import { requestedLanguage } from '../http/answer-language.js';
import { english, type Language } from '../messages/language.js';
import type { KeyBelow } from '../messages/message-key.js';

/** HTML of ours as a value of a message. */
export interface Html {
  readonly html: string;
}

/** A message of `catalog/messages/<tag>/web-page.json` as HTML: all of it is escaped but the values that are HTML. */
export function htmlOf(
  language: Language,
  key: KeyBelow<'web-page'>,
  values: Readonly<Record<string, string | number | Html>> = {},
): string {
  const parts = language.parts(`web-page.${key}`, values) as (string | Html)[];
  return parts.map((part) => (typeof part === 'string' ? escapeHtml(part) : part.html)).join('');
}

export const code = (text: string): Html => ({ html: `<code>${escapeHtml(text)}</code>` });
export const strong = (text: string): Html => ({ html: `<strong>${escapeHtml(text)}</strong>` });
export const link = (href: string, text: string): Html => ({
  html: `<a href="${escapeHtml(href)}">${escapeHtml(text)}</a>`,
});

/** The language that a browser requests, else English. */
export function readingLanguage(request: IncomingMessage): Language {
  return requestedLanguage(request) ?? english;
}

/** The same for an answer that depends on it, which says so. */
export function answerIn(request: IncomingMessage, response: ServerResponse): Language {
  response.appendHeader('Vary', 'Accept-Language');
  return readingLanguage(request);
}

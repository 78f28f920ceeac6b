import type { IncomingMessage, ServerResponse } from 'node:http';
import { languageOf, LANGUAGES, type Language } from '../messages/language.js';
import { preferredLanguage } from './negotiation.js';

/** The language that a client asks for, of those that there are; undefined where it asks for none of them. */
export function requestedLanguage(request: Pick<IncomingMessage, 'headers'>): Language | undefined {
  const isRequested = request.headers['accept-language'] !== undefined;
  const tag = isRequested ? preferredLanguage(request, LANGUAGES) : undefined;
  return tag === undefined ? undefined : languageOf(tag);
}

/** Says of an answer that it is in this language because the client asks for it; one that asks for none gets what it always got. */
export function showLanguage(response: ServerResponse, language: Language | undefined): void {
  if (language === undefined) return;
  response.appendHeader('Vary', 'Accept-Language');
  response.setHeader('Content-Language', language.tag);
}

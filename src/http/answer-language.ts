import type { IncomingMessage, ServerResponse } from 'node:http';
import { languageOf, LANGUAGES, type Language } from '../messages/language.js';
import { preferredLanguage } from './negotiation.js';

/** The requested language among the supported ones; undefined if there is none. */
export function requestedLanguage(request: Pick<IncomingMessage, 'headers'>): Language | undefined {
  const isRequested = request.headers['accept-language'] !== undefined;
  const tag = isRequested ? preferredLanguage(request, LANGUAGES) : undefined;
  return tag === undefined ? undefined : languageOf(tag);
}

/** Marks an answer as in this requested language; without a request it is unchanged. */
export function showLanguage(response: ServerResponse, language: Language | undefined): void {
  if (language === undefined) return;
  response.appendHeader('Vary', 'Accept-Language');
  response.setHeader('Content-Language', language.tag);
}

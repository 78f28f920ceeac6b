import { createHash } from 'node:crypto';

/** What a page may load, by directive; whatever it does not name, nobody may. */
export type PolicySources = Readonly<Record<string, readonly string[]>>;

/** The text of a Content-Security-Policy that begins with "nothing at all". */
export function contentPolicy(sources: PolicySources = {}): string {
  const directives: PolicySources = {
    'default-src': ["'none'"],
    'form-action': ["'none'"],
    ...sources,
    'base-uri': ["'none'"],
    'frame-ancestors': ["'none'"],
  };
  return Object.entries(directives)
    .map(([name, values]) => [name, ...values].join(' '))
    .join('; ');
}

/** Allows one inline script or style, to the letter, and no other. */
export function inlineSource(content: string): string {
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
}

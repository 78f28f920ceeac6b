import { createRequire } from 'node:module';

/** The version of the gateway, as its package says it. */
export const { version: VERSION } = createRequire(import.meta.url)('../../package.json') as { version: string };

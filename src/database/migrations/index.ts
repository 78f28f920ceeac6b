import { InitialSchema } from './initial-schema.js';

/** Every migration, in order. */
export const migrations = [{ name: 'InitialSchema', class: InitialSchema }];

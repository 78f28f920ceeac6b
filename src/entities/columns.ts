import { defineEntity, type Opt } from '@mikro-orm/core';

export const p = defineEntity.properties;

export const bytes = () => p.blob().$type<Buffer>();

/** To the millisecond, as JavaScript has it. */
export const instant = () => p.datetime(3);

/** When the row was made. */
export const creationTime = () =>
  instant()
    .defaultRaw('now()')
    .onCreate(() => new Date());

/** When the row was changed last. */
export const changeTime = () => creationTime().onUpdate(() => new Date());

/** Grows with each change of what a caller may change: a trigger raises it (docs/adr/0008). */
export const version = () => p.integer().default(1);

/** Column of the text that search compares: the title on the first line, then further texts (docs/adr/0015). */
export const searchable = (texts: string) =>
  p.text().$type<Opt<string>>().generated(`(search_text(${texts})) stored`).lazy();

/** Answers to search (docs/adr/0015); made by hand, where pg_trgm is there. */
export const searchIndex = (table: string) => ({
  name: `${table}_search_index`,
  expression: `create index "${table}_search_index" on "${table}" using gin (searchable gin_trgm_ops)`,
});

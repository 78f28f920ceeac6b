import { defineEntity, type Opt } from '@mikro-orm/core';

export const p = defineEntity.properties;

export const bytes = () => p.blob().$type<Buffer>();

/** With millisecond precision, as in JavaScript. */
export const instant = () => p.datetime(3);

/** When the row was created. */
export const creationTime = () =>
  instant()
    .defaultRaw('now()')
    .onCreate(() => new Date());

/** When the row was last changed. */
export const changeTime = () => creationTime().onUpdate(() => new Date());

/** Incremented by a trigger when a field that callers may change changes (docs/adr/0008). */
export const version = () => p.integer().default(1);

/** Column of the text that search compares: the title on the first line, then further texts (docs/adr/0015). */
export const searchable = (texts: string) =>
  p.text().$type<Opt<string>>().generated(`(search_text(${texts})) stored`).lazy();

/** Index for search (docs/adr/0015); created by hand where pg_trgm is available. */
export const searchIndex = (table: string) => ({
  name: `${table}_search_index`,
  expression: `create index "${table}_search_index" on "${table}" using gin (searchable gin_trgm_ops)`,
});

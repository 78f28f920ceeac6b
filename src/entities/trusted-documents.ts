import { defineEntity } from '@mikro-orm/core';
import { creationTime, instant, p } from './columns.js';

/** A GraphQL document that applications run by its id: one row for each text. */
export const TrustedDocument = defineEntity({
  name: 'TrustedDocument',
  properties: {
    id: p.bigint('number').primary(),
    /** Lower-case hexadecimal SHA-256 of the text in UTF-8. */
    sha256: p.text().unique(),
    text: p.text(),
    /** Tokens as counted by the parser: the memory of a prepared document. */
    tokens: p.integer(),
  },
});

/** A published version of an application. A withdrawn one stays on record without its documents. */
export const ApplicationVersion = defineEntity({
  name: 'ApplicationVersion',
  properties: {
    id: p.bigint('number').primary(),
    application: p.text(),
    /** The name given by the application. */
    label: p.text(),
    /** Number of its documents, also when withdrawn. */
    documents: p.integer(),
    publishedAt: creationTime(),
    withdrawnAt: instant().nullable(),
  },
  uniques: [
    {
      name: 'application_version_published_unique',
      properties: ['application', 'label'],
      where: 'withdrawn_at is null',
    },
  ],
});

/** Membership of a document in a published version of an application. */
export const ApplicationDocument = defineEntity({
  name: 'ApplicationDocument',
  properties: {
    applicationVersion: p.manyToOne(ApplicationVersion).primary().deleteRule('cascade'),
    document: p.manyToOne(TrustedDocument).primary(),
  },
  indexes: [{ properties: ['document'] }],
});

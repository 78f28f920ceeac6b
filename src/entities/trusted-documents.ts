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
    /** As the parser counts them: what a prepared document takes of the memory. */
    tokens: p.integer(),
  },
});

/** A version of an application that was published. It stays on record when it was withdrawn, without its documents. */
export const ApplicationVersion = defineEntity({
  name: 'ApplicationVersion',
  properties: {
    id: p.bigint('number').primary(),
    application: p.text(),
    /** The name that the application gives it. */
    label: p.text(),
    /** How many it has, or had. */
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

/** That a published version of an application has a document. */
export const ApplicationDocument = defineEntity({
  name: 'ApplicationDocument',
  properties: {
    applicationVersion: p.manyToOne(ApplicationVersion).primary().deleteRule('cascade'),
    document: p.manyToOne(TrustedDocument).primary(),
  },
  indexes: [{ properties: ['document'] }],
});

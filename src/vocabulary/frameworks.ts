/** Compliance frameworks that an organization may name as metadata (specification 2.2, framework object `value`). */
export const FRAMEWORK_VALUES = Object.freeze(['ISO 27001:2023', 'NIS2'] as const);

/** Extensions of ISO 27001 (specification 2.2, `fields.extensions`). */
export const FRAMEWORK_EXTENSIONS = Object.freeze(['ISO 27017:2021', 'ISO 27018:2020'] as const);

/** Kinds of entity under NIS 2 (specification 2.2, `fields.entity_type`). */
export const ENTITY_TYPES = Object.freeze(['important', 'essential'] as const);

/** What the `fields` of each framework may say (specification 2.2). */
export const FRAMEWORKS = Object.freeze([
  { value: 'ISO 27001:2023', extensions: FRAMEWORK_EXTENSIONS, entityTypes: [] },
  { value: 'NIS2', extensions: [], entityTypes: ENTITY_TYPES },
] as const satisfies readonly {
  value: FrameworkValue;
  extensions: readonly string[];
  entityTypes: readonly string[];
}[]);

export type FrameworkValue = (typeof FRAMEWORK_VALUES)[number];
export type EntityType = (typeof ENTITY_TYPES)[number];

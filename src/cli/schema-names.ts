/** Files with a JSON Schema in src/docs/schemas. */
export const SCHEMA_NAMES = ['settings', 'models', 'catalogue', 'limits', 'recipe'] as const;
export type SchemaName = (typeof SCHEMA_NAMES)[number];

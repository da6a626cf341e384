/** Names of the files for which src/docs/schemas contains a JSON Schema. */
export const SCHEMA_NAMES = ['settings', 'models', 'catalogue', 'limits', 'recipe'] as const;
export type SchemaName = (typeof SCHEMA_NAMES)[number];

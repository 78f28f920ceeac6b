import type { Json } from '../../common/input-schema.js';

export { orNull, type Json } from '../../common/input-schema.js';

export function ref(kind: 'schemas' | 'responses' | 'headers' | 'examples', name: string): Json {
  return { $ref: `#/components/${kind}/${name}` };
}

import type { Operation } from './apis.js';

/**
 * The operation of a mutation whose only argument is an `input` of the type named after it. REST's `data` is the first
 * of its payload fields.
 */
export function mutation(rest: string, name: string, fields: string, names?: Operation['names']): Operation {
  const type = `${name[0]!.toUpperCase()}${name.slice(1)}Input`;
  return {
    rest,
    graphql: `mutation ($input: ${type}!) { ${name}(input: $input) { ${fields} } }`,
    at: `${name}.${fields.split(' ', 1)[0]!.split(':', 1)[0]}`,
    ...(names && { names }),
  };
}

import { isObjectType, Kind, type GraphQLResolveInfo, type GraphQLSchema } from 'graphql';
import { LIMITS } from '../../values/limits.js';

/** Shows the size of a page that is not chosen as the default of `first`, which steps aside for `last` and `before`. */
export function showPageSizes(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const [first, last] = ['first', 'last'].map((wanted) => field.args.find(({ name }) => name === wanted));
      const { resolve } = field;
      if (first === undefined || last === undefined || resolve === undefined) continue;
      first.defaultValue = LIMITS.page.defaultSize;
      field.resolve = (source, values: PageValues, context, info) => {
        const isBackwards = (values.last ?? values.before ?? null) !== null;
        const own = isBackwards && !isGiven('first', info) ? { ...values, first: null } : values;
        return resolve(source, own, context, info) as unknown;
      };
    }
  }
}

interface PageValues {
  readonly last?: number | null;
  readonly before?: string | null;
}

/** Whether an argument has a value of the request, and not its default. */
function isGiven(argument: string, { fieldNodes, variableValues }: GraphQLResolveInfo): boolean {
  const value = fieldNodes[0]?.arguments?.find(({ name }) => name.value === argument)?.value;
  if (value === undefined) return false;
  return value.kind !== Kind.VARIABLE || variableValues[value.name.value] !== undefined;
}

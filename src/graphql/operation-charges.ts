import { Kind, type DocumentNode, type OperationDefinitionNode, type SelectionSetNode } from 'graphql';
import type { Charge, RateMeter } from '../auth/rate-limits.js';
import type { CostVariables, DocumentLimits } from './document-limits.js';

/** Cost that one point stands for. */
const COST_PER_POINT = 100;

/** What an operation asks for, whatever its variables are. */
interface RootFields {
  count: number;
  searches: number;
  /** Nothing but `rateLimit` and `__typename`. */
  isFree: boolean;
}

/**
 * Counts GraphQL operations against the limits of their caller, whichever transport they came by: one point for each 100
 * of the cost, each field of a mutation as a write, and each search as a search.
 */
export class OperationCharges {
  private readonly roots = new WeakMap<OperationDefinitionNode, RootFields>();

  constructor(private readonly limits: DocumentLimits) {}

  /** Throws RATE_LIMITED, and counts nothing then. */
  charge(
    meter: RateMeter,
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: CostVariables = {},
  ): void {
    const { count, searches, isFree } = this.rootFields(document, operation);
    const cost = this.limits.costOf(document, operation, variables);
    meter.points = isFree ? 0 : Math.max(1, Math.ceil(cost / COST_PER_POINT));
    const charges: Charge[] = [['graphql', meter.points]];
    if (operation.operation === 'mutation') charges.push(['writes', count]);
    if (searches > 0) charges.push(['searches', searches]);
    meter.charge(...charges);
    if (searches > 0) meter.enter('searches');
  }

  private rootFields(document: DocumentNode, operation: OperationDefinitionNode): RootFields {
    let found = this.roots.get(operation);
    if (found === undefined) {
      const names = namesIn(document, operation.selectionSet);
      found = {
        count: names.length,
        searches: names.filter((name) => name === 'search').length,
        isFree: names.includes('rateLimit') && names.every((name) => name === 'rateLimit' || name === '__typename'),
      };
      this.roots.set(operation, found);
    }
    return found;
  }
}

/** Names of the root fields of a document that passed the limits and validation, each as often as it is asked for. */
function namesIn(document: DocumentNode, set: SelectionSetNode): string[] {
  return set.selections.flatMap((node) => {
    if (node.kind === Kind.FIELD) return [node.name.value];
    if (node.kind === Kind.INLINE_FRAGMENT) return namesIn(document, node.selectionSet);
    const fragment = document.definitions.find(
      (definition) => definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === node.name.value,
    );
    return fragment?.kind === Kind.FRAGMENT_DEFINITION ? namesIn(document, fragment.selectionSet) : [];
  });
}

import { Ctx, Query, Resolver } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { FormOptions } from '../schema/form-options.type.js';
import type { FormOptionsService } from '../services/form-options.js';

@Resolver()
export class FormOptionsResolver {
  constructor(private readonly options: FormOptionsService) {}

  @Query(() => FormOptions, { description: 'Value lists, roles, types and limits, so that no frontend copies them.' })
  formOptions(@Ctx() { caller }: RequestContext) {
    return this.options.read(caller);
  }
}

import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Info, Mutation, Resolver } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { selectionOf } from '../engine/selection.js';
import type { DeviceIdInput } from '../schema/device.input.js';
import { checkReports } from '../schema/device-report.rules.js';
import type { DeviceService } from '../services/devices.js';
import type { DeviceReport } from '../services/report-store.js';
import type { DeviceNoun, SentReports } from './device-noun.js';

/** Changing devices of one kind, and taking what they report. */
export function deviceChangeResolver<
  Create extends { organizationId: number },
  Update extends { id: number },
  Report extends SentReports,
>(noun: DeviceNoun<Create, Update, Report>) {
  const { one, name, words } = noun;

  @Resolver()
  class DeviceChangeResolver {
    constructor(private readonly devices: DeviceService) {}

    @Mutation(() => noun.create.payload, { name: `create${name}`, description: `Creates ${words}.` })
    async create(
      @Arg('input', () => noun.create.input, { description: 'The configuration.' }) input: Create,
      @Ctx() { caller }: RequestContext,
      @Info() info: GraphQLResolveInfo,
    ) {
      const values = noun.read.new(input);
      const asked = selectionOf(info).of(one);
      return { [one]: await this.devices.changes.create(caller, input.organizationId, values, asked) };
    }

    @Mutation(() => noun.update.payload, {
      name: `update${name}`,
      description: `Changes ${words}; what is absent stays as it is.`,
    })
    async update(
      @Arg('input', () => noun.update.input, { description: 'The changes.' }) input: Update,
      @Ctx() { caller }: RequestContext,
      @Info() info: GraphQLResolveInfo,
    ) {
      const values = noun.read.changed(input);
      return { [one]: await this.devices.changes.update(caller, input.id, values, selectionOf(info).of(one)) };
    }

    @Mutation(() => noun.remove.payload, {
      name: `delete${name}`,
      description: `Deletes ${words} softly; the caller has to manage its organization (specification 3).`,
    })
    async remove(
      @Arg('input', () => noun.remove.input, { description: 'What to delete.' }) { id }: DeviceIdInput,
      @Ctx() { caller }: RequestContext,
      @Info() info: GraphQLResolveInfo,
    ) {
      return { [one]: await this.devices.changes.delete(caller, id, selectionOf(info).of(one)) };
    }

    @Mutation(() => noun.restore.payload, {
      name: `restore${name}`,
      description: `Restores ${words} that was deleted in the last 30 days; one that is not deleted stays as it is.`,
    })
    async restore(
      @Arg('input', () => noun.restore.input, { description: 'What to restore.' }) { id }: DeviceIdInput,
      @Ctx() { caller }: RequestContext,
      @Info() info: GraphQLResolveInfo,
    ) {
      return { [one]: await this.devices.changes.restore(caller, id, selectionOf(info).of(one)) };
    }

    @Mutation(() => noun.report.payload, {
      name: `report${name}Check`,
      description:
        'Takes what a device found, with a token for telemetry of who manages it. The same report again changes nothing; another one of the same moment is a CONFLICT.',
    })
    async report(
      @Arg('input', () => noun.report.input, { description: 'The reports.' }) input: Report,
      @Ctx() { caller }: RequestContext,
    ) {
      const { reports } = this.devices;
      checkReports(input, reports.window());
      return { receipt: await reports.report(caller, { id: input.id }, readReports(input)) };
    }
  }
  return DeviceChangeResolver;
}

/** Reports as services know them: what was not sent is empty. Call it when they have passed their rules. */
export function readReports({ reports }: Pick<SentReports, 'reports'>): DeviceReport[] {
  return (reports as Partial<DeviceReport>[]).map(
    (report) => ({ ...report, webStat: report.webStat ?? null, chartStat: report.chartStat ?? [] }) as DeviceReport,
  );
}

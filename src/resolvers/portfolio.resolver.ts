import { Args, Extensions, Resolver } from 'type-graphql';
import type { Page } from '../database/cursor.js';
import { english, type Language } from '../messages/language.js';
import { PortfolioOrder, PortfolioPageArgs, WorkArgs, OrganizationOverview, WorkItem } from '../schema/portfolio.js';
import { COSTS } from '../values/costs.js';
import { LIMITS } from '../values/limits.js';
import { Arg, ListCall, OrderBy, Query } from './shared/decorators.js';
import { LABEL_LANGUAGE, labelLanguage, TEXT_LANGUAGE } from './shared/label-language.js';
import { connectionFrom } from './shared/lists.js';
import { connectionOf } from '../schema/shared/connection.js';

@Resolver()
export class PortfolioResolver {
  @Extensions({ items: LIMITS.portfolio.maxPageSize, cost: COSTS.portfolio })
  @Query(
    connectionOf(OrganizationOverview),
    'The organizations that the caller belongs to except for sandboxes, each with its progress, overdue controls, incidents, next legal deadline and devices that are down. Counts as 500 of the cost of an operation.',
    { name: 'portfolio' },
  )
  async overviews(
    @Args(() => PortfolioPageArgs) page: PortfolioPageArgs,
    @OrderBy(() => PortfolioOrder, { field: 'NAME', direction: 'ASC' }, 'By name when absent.')
    orderBy: PortfolioOrder | null,
    @Arg('language', () => String, TEXT_LANGUAGE, { nullable: true }) tag: string | null,
    @ListCall() { services, caller, selection }: ListCall,
  ) {
    const language = labelLanguage(tag);
    const found = await services.portfolio.list(caller, { page, orderBy }, selection);
    return connectionFrom(
      worded(found, language, ({ nextDeadline }: Overview) => ({ nextDeadline: named(nextDeadline, language) })),
    );
  }

  @Extensions({ cost: COSTS.work })
  @Query(
    connectionOf(WorkItem),
    'What is to be done in all organizations of the caller, or in one, the earliest first: open controls with a due date, controls whose newest document is stale or expires soon, and reports that are owed. The 1,000 earliest controls and reviews are among it, and of each organization the reports of the 50 open incidents whose deadlines are first. Counts as 2,000 of the cost of an operation.',
  )
  async work(
    @Args(() => WorkArgs) { assignee, assigneeId, dueBefore, organizationId, kind, ...page }: WorkArgs,
    @Arg('language', () => String, LABEL_LANGUAGE, { nullable: true }) tag: string | null,
    @ListCall() { services, caller, selection }: ListCall,
  ) {
    const language = labelLanguage(tag);
    const query = { page, assignee: assignee ?? 'ME', assigneeId, dueBefore, organizationId, kind };
    const found = await services.work.list(caller, query, selection);
    return connectionFrom(
      worded(found, language, ({ title, control, report }: Work) => ({
        title: report ? title : language.translated(title),
        control: control && { ...control, label: language.translated(control.label) },
        report: named(report, language),
      })),
    );
  }
}

interface Named {
  regimeName: string;
}

/** The selected part that has texts of laws. */
interface Overview {
  nextDeadline?: Named | null;
}

interface Work {
  title: string;
  control: { label: string } | null;
  report: Named | null;
}

function named<Report extends Named | null | undefined>(report: Report, language: Language): Report {
  return report && { ...report, regimeName: language.translated(report.regimeName) };
}

/** The same page with some fields of its rows renamed. */
function worded<Row extends object>(
  page: Page<object>,
  language: Language,
  words: (row: Row) => Partial<Row>,
): Page<object> {
  if (language === english) return page;
  return Object.assign(page, { rows: page.rows.map((row) => ({ ...row, ...words(row as Row) })) });
}

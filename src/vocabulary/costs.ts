/**
 * What fields count that ask the database for far more than a value: of the 30,000 that one operation may cost. A figure
 * is about the number of plain fields that take as long. Resolvers declare them with `@Extensions({ cost })`.
 */
export const COSTS = Object.freeze({
  /** Looks through every text of all organizations of the caller. */
  search: 5_000,
  /** Gathers a week of everything in an organization, and writes it out twice. */
  weeklyReportPreview: 3_000,
  /** One statement for each workflow, up to 366 days. */
  progressHistory: 250,
  /** Reports of up to 90 days in buckets. */
  deviceSeries: 100,
  /** The state of each control of a workflow, whatever the page. */
  workflowControls: 50,
  workflowProgress: 50,
  /** Counts all that meet a filter. */
  count: 10,
});

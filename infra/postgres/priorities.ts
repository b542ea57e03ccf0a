/**
 * Who asks the database. The embedded engine has one session and serves people first, then the pipeline's live work,
 * and bulk last. A server shows who asks by the name of the application.
 */
export const APPLICATION_NAMES = { people: 'assay', pipeline: 'assay pipeline', bulk: 'assay bulk' } as const

export type Priority = keyof typeof APPLICATION_NAMES

export const priorityOf = (applicationName: string | undefined): Priority => {
  if (applicationName === APPLICATION_NAMES.pipeline) return 'pipeline'
  return applicationName === APPLICATION_NAMES.bulk ? 'bulk' : 'people'
}

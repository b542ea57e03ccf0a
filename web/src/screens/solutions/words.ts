import type { HandoffKind } from '../../../../schemas/domain/vocabulary.ts'
import { t } from '../../language/messages.ts'

export const HANDOFF_NAMES: Readonly<Record<HandoffKind, string>> = {
  design: t('Design'),
  pull_request: t('Pull request'),
}

/** What choosing claims for a Solution means. */
export const ANSWERED = t('The problems and Opportunities that it answers; their evidence places it on the board.')

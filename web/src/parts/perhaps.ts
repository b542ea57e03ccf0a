import type { Channel, Perhaps } from '../../../schemas/domain/vocabulary.ts'
import { t } from '../language/messages.ts'

const SAID: Readonly<Record<Perhaps, string>> = {
  problem: t('Perhaps a problem'),
  idea: t('Perhaps an idea'),
  noise: t('Nothing that asks for a change'),
}

/** Known facts of an unclassified signal. */
export const whatIsKnown = ({
  perhaps,
  channel,
}: {
  readonly perhaps: Perhaps | null
  readonly channel: Channel
}): string => {
  if (perhaps !== null) return SAID[perhaps]
  return channel === 'code_host' ? t('Work on the product') : t('Not known what it asks for')
}

import { Text } from '@mantine/core'
import { CLASSIFICATIONS } from '../../../../schemas/domain/vocabulary.ts'
import type { Output } from '../../api/operations.ts'
import { language, t, word } from '../../language/messages.ts'

export type Theme = Output<'list_themes'>['items'][number]

interface Props {
  readonly theme: Theme
}

const languageNames = new Intl.DisplayNames(language, { type: 'language' })

/** Which kinds of signals are in a theme, and in which languages they are, as far as words tell. */
export const SpokenIn = ({ theme }: Props) => {
  const kinds = CLASSIFICATIONS.filter(kind => theme.by_kind[kind] > 0).map(
    kind => `${word(kind)} ${theme.by_kind[kind].toLocaleString(language)}`,
  )
  const languages = theme.languages.map(code => languageNames.of(code))
  return (
    <Text size="xs" c="dimmed" component="div">
      {[kinds, languages].flatMap(facts => (facts.length === 0 ? [] : facts.join(', '))).join(' · ')}
    </Text>
  )
}

/** How many of its signals happened in the last 30 days, beside those of the 30 days before. */
export const Trend = ({ theme: { last_30_days: last, previous_30_days: before } }: Props) => (
  <>
    {last.toLocaleString(language)}{' '}
    <Text
      span
      size="xs"
      c="dimmed"
      style={{ whiteSpace: 'nowrap' }}
      title={t('In the 30 days before these: {number}', { number: before })}
    >
      {t('(before {previous_value})', { previous_value: before.toLocaleString(language) })}
    </Text>
  </>
)

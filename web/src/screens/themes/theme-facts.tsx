import { Text } from '@mantine/core'
import { CLASSIFICATIONS } from '../../../../schemas/domain/vocabulary.ts'
import type { Output } from '../../api/operations.ts'
import { counted, language, t, word } from '../../language/messages.ts'

export type Theme = Output<'list_themes'>['items'][number]

interface Props {
  readonly theme: Theme
}

const languageNames = new Intl.DisplayNames(language, { type: 'language' })

/** The kinds of a theme's signals, their languages as far as words tell, and how many companies they came from. */
export const SpokenIn = ({ theme }: Props) => {
  const kinds = CLASSIFICATIONS.filter(kind => theme.by_kind[kind] > 0).map(
    kind => `${word(kind)} ${theme.by_kind[kind].toLocaleString(language)}`,
  )
  const languages = theme.languages.map(code => languageNames.of(code))
  const companies = theme.customers === 0 ? [] : [counted(theme.customers, 'company', 'companies')]
  return (
    <Text size="xs" c="dimmed" component="div">
      {[kinds, languages, companies].flatMap(facts => (facts.length === 0 ? [] : facts.join(', '))).join(' · ')}
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

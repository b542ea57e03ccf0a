import { Textarea, TextInput } from '@mantine/core'
import { MAX_CHARACTERS } from '../../../../schemas/domain/limits.ts'
import { t } from '../../language/messages.ts'

interface Texts {
  readonly title: string
  readonly summary: string
}

interface Props {
  readonly texts: Texts
  readonly onChange: (changed: Partial<Texts>) => void
}

/** What an element is called and what it is, to be written. */
export const ElementTexts = ({ texts: { title, summary }, onChange }: Props) => (
  <>
    <TextInput
      label={t('Title')}
      data-autofocus
      required
      withAsterisk={false}
      maxLength={MAX_CHARACTERS.title}
      value={title}
      onChange={event => onChange({ title: event.currentTarget.value })}
    />
    <Textarea
      label={t('Summary')}
      description={t('Optional, in Markdown.')}
      autosize
      minRows={3}
      maxRows={10}
      maxLength={MAX_CHARACTERS.elementSummary}
      value={summary}
      onChange={event => onChange({ summary: event.currentTarget.value })}
    />
  </>
)

import { Textarea, TextInput } from '@mantine/core'

const MOST_CHARACTERS = { title: 300, summary: 6000 }

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
      label="Title"
      data-autofocus
      required
      withAsterisk={false}
      maxLength={MOST_CHARACTERS.title}
      value={title}
      onChange={event => onChange({ title: event.currentTarget.value })}
    />
    <Textarea
      label="Summary"
      description="Optional, in Markdown."
      autosize
      minRows={3}
      maxRows={10}
      maxLength={MOST_CHARACTERS.summary}
      value={summary}
      onChange={event => onChange({ summary: event.currentTarget.value })}
    />
  </>
)

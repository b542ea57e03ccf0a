import { TagsInput, type TagsInputProps } from '@mantine/core'
import { chosenOf } from '../../parts/multi-choice.tsx'
import { say } from '../../shell/say.ts'

interface Props extends Omit<TagsInputProps, 'value' | 'onChange'> {
  readonly value: readonly string[]
  readonly onChange: (value: string[]) => void
}

/** Several words of one’s own, of which a screen reader is told as of those of a list. */
export const TagsChoice = ({ value, onChange, ...props }: Props) => (
  <TagsInput
    {...props}
    aria-description={chosenOf(value)}
    value={[...value]}
    onChange={chosen => {
      onChange(chosen)
      say(chosenOf(chosen))
    }}
  />
)

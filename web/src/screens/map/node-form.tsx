import { ActionIcon, Button, Group, Input, Stack, Textarea, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { MAX_CHARACTERS, MAX_NODE_EXAMPLES } from '../../../../schemas/domain/limits.ts'
import type { AskedChange } from '../../api/guard.ts'
import { t } from '../../language/messages.ts'
import { ChangeForm } from '../../parts/change-dialog.tsx'
import type { NodeTexts } from './use-node.ts'

/** What the operations take. */

interface Props {
  readonly texts: NodeTexts
  /** The verb of the button. */
  readonly action: string
  readonly change: AskedChange
  /** Fields before the others. */
  readonly children?: ReactNode
  readonly onSubmit: (texts: NodeTexts) => void
  readonly onCancel: () => void
}

/** What people write about a node. */
export const NodeForm = ({ texts, action, change, children, onSubmit, onCancel }: Props) => {
  const [name, setName] = useState(texts.name)
  const [description, setDescription] = useState(texts.description)
  const [examples, setExamples] = useState(texts.examples)
  const submit = () =>
    onSubmit({ name: name.trim(), description, examples: examples.filter(example => example.trim() !== '') })
  const rewrite = (index: number, written: string) =>
    setExamples(examples.map((example, at) => (at === index ? written : example)))
  return (
    <ChangeForm
      action={action}
      change={change}
      missing={name.trim() === '' ? t('a name') : null}
      onSubmit={submit}
      onCancel={onCancel}
    >
      <TextInput
        label={t('Name')}
        data-autofocus
        maxLength={MAX_CHARACTERS.name}
        value={name}
        onChange={event => setName(event.currentTarget.value)}
      />
      {children}
      <Textarea
        label={t('Description')}
        description={t('What belongs here. Signals are anchored by its meaning.')}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={MAX_CHARACTERS.nodeDescription}
        value={description}
        onChange={event => setDescription(event.currentTarget.value)}
      />
      <Input.Wrapper
        component="fieldset"
        label={t('Other names and examples')}
        labelElement="div"
        description={t('Texts as senders write them. A Signal that is near to one of them is near to the node.')}
        bd={0}
        p={0}
        m={0}
      >
        <Stack gap="xs" mt="xs">
          {examples.map((example, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is known by its place: its text is what changes
            <Group key={index} gap="xs" wrap="nowrap" align="flex-start">
              <Textarea
                flex={1}
                autosize
                minRows={1}
                maxRows={5}
                aria-label={t('Example {number}', { number: index + 1 })}
                maxLength={MAX_CHARACTERS.nodeExample}
                value={example}
                onChange={event => rewrite(index, event.currentTarget.value)}
              />
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                aria-label={t('Remove example {number}', { number: index + 1 })}
                onClick={() => setExamples(examples.filter((_, at) => at !== index))}
              >
                <IconX size={16} />
              </ActionIcon>
            </Group>
          ))}
          {examples.length < MAX_NODE_EXAMPLES && (
            <div>
              <Button
                size="compact-sm"
                variant="subtle"
                leftSection={<IconPlus size={14} />}
                onClick={() => setExamples([...examples, ''])}
              >
                {t('Add an example')}
              </Button>
            </div>
          )}
        </Stack>
      </Input.Wrapper>
    </ChangeForm>
  )
}

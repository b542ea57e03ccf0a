import { ActionIcon, Button, Group, Input, Stack } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { MAX_CHARACTERS, MAX_NODE_EXAMPLES } from '../../../../schemas/domain/limits.ts'
import type { AskedChange } from '../../api/guard.ts'
import { t } from '../../language/messages.ts'
import { ChangeForm } from '../../parts/change-dialog.tsx'
import type { FormValues, Snapshot } from '../../parts/forms/form-model.ts'
import { LimitedInput, LimitedTextarea } from '../../parts/forms/limited-text.tsx'
import { type Form, useForm } from '../../parts/forms/use-form.ts'
import type { NodeTexts } from './use-node.ts'

type Written = NodeTexts & FormValues

/** What is written about a node, of which the page has this now. */
export const useNodeForm = (name: string, now: Snapshot<NodeTexts>): Form<Written> =>
  useForm<Written>({
    name,
    labels: { name: t('Name'), description: t('Description'), examples: t('Other names and examples') },
    now: { version: now.version, values: { ...now.values } },
  })

interface Props {
  readonly form: Form<Written>
  /** The verb of the button. */
  readonly action: string
  readonly change: AskedChange
  /** Fields before the others. */
  readonly children?: ReactNode
  /** With all of the texts, and those that were changed. */
  readonly onSubmit: (texts: NodeTexts, changes: Partial<NodeTexts>) => void
  readonly onCancel: () => void
}

/** What people write about a node. */
export const NodeForm = ({ form, action, change, children, onSubmit, onCancel }: Props) => {
  const { name, description, examples } = form.values
  const submit = () => {
    const texts = { name: name.trim(), description, examples: examples.filter(example => example.trim() !== '') }
    onSubmit(texts, Object.fromEntries(Object.entries(texts).filter(([field]) => field in form.changes)))
  }
  const rewrite = (index: number, written: string) =>
    form.write({ examples: examples.map((example, at) => (at === index ? written : example)) })
  return (
    <ChangeForm
      action={action}
      change={change}
      form={form}
      missing={name.trim() === '' ? t('a name') : null}
      onSubmit={submit}
      onCancel={onCancel}
    >
      <LimitedInput
        label={t('Name')}
        data-autofocus
        most={MAX_CHARACTERS.name}
        value={name}
        onChange={event => form.write({ name: event.currentTarget.value })}
      />
      {children}
      <LimitedTextarea
        label={t('Description')}
        description={t('What belongs here. Signals are anchored by its meaning.')}
        autosize
        minRows={2}
        maxRows={8}
        most={MAX_CHARACTERS.nodeDescription}
        value={description}
        onChange={event => form.write({ description: event.currentTarget.value })}
      />
      <Input.Wrapper
        component="fieldset"
        label={t('Other names and examples')}
        labelElement="div"
        description={t(
          'Texts as senders write them. A signal that means nearly the same as one of them comes to this node.',
        )}
        bd={0}
        p={0}
        m={0}
      >
        <Stack gap="xs" mt="xs">
          {examples.map((example, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is known by its place: its text is what changes
            <Group key={index} gap="xs" wrap="nowrap" align="flex-start">
              <LimitedTextarea
                flex={1}
                autosize
                minRows={1}
                maxRows={5}
                aria-label={t('Example {number}', { number: index + 1 })}
                most={MAX_CHARACTERS.nodeExample}
                value={example}
                onChange={event => rewrite(index, event.currentTarget.value)}
              />
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                aria-label={t('Remove example {number}', { number: index + 1 })}
                onClick={() => form.write({ examples: examples.filter((_, at) => at !== index) })}
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
                onClick={() => form.write({ examples: [...examples, ''] })}
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

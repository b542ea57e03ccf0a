import { Button, Group, List, Modal, Stack, Tabs, Text } from '@mantine/core'
import type { Output } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'
import { Copyable } from '../../parts/copyable.tsx'
import { moment } from '../../parts/formats.ts'
import { NotShownAgain } from '../../parts/not-shown-again.tsx'

export interface Revealed {
  readonly title: string
  readonly source: Output<'create_source'> & { readonly previous_secret_valid_until?: string }
  /** The secret was in an answer that was lost. */
  readonly isLost?: boolean | undefined
}

interface Props {
  /** Null: nothing is shown. */
  readonly revealed: Revealed | null
  readonly onClose: () => void
}

const EXAMPLES = { curl: 'curl', openssl: 'Shell', node: 'Node.js', python: 'Python' } as const

/** The one time that a source’s secret is shown, with what its senders need. */
export const RevealedSource = ({ revealed, onClose }: Props) => (
  <Modal
    opened={revealed !== null}
    onClose={onClose}
    title={revealed?.title ?? ''}
    size="xl"
    closeOnClickOutside={false}
    closeOnEscape={false}
    // Above the drawer from which a secret is rotated.
    zIndex={300}
  >
    {revealed !== null && <Shown source={revealed.source} isLost={revealed.isLost} onClose={onClose} />}
  </Modal>
)

const Shown = ({ source, isLost, onClose }: Pick<Revealed, 'source' | 'isLost'> & Pick<Props, 'onClose'>) => {
  const { url, address, secret, setup, previous_secret_valid_until: until } = source
  return (
    <Stack gap="md">
      {secret !== null && (
        <Text size="sm" c="dimmed">
          {t('Copy the secret now: it is shown only once, and whoever has it can send.')}
        </Text>
      )}
      {isLost === true && (
        <NotShownAgain>
          {until === undefined
            ? t('Its secret was in the answer that was lost, and is not shown again. Rotate the secret to get another.')
            : t(
                'The new secret was in the answer that was lost, and is not shown again. Rotate it once more to get another: what senders have now then stops working at once.',
              )}
        </NotShownAgain>
      )}
      {until !== undefined && isLost !== true && (
        <Text size="sm">
          {t('It works within seconds. The one before it stays valid until {value}: change every sender by then.', {
            value: moment(until),
          })}
        </Text>
      )}
      {url !== null && <Copyable label="URL" text={url} />}
      {address !== null && <Copyable label={t('Address')} text={address} />}
      {secret !== null && <Copyable label={t('Secret')} text={secret} />}
      <List type="ordered" size="sm" spacing="xs">
        {setup.map(step => (
          <List.Item key={step}>{step}</List.Item>
        ))}
      </List>
      <ExampleTabs examples={source.examples} />
      <Group justify="flex-end">
        <Button onClick={onClose} data-autofocus>
          {secret === null ? t('Done') : t('I have copied it')}
        </Button>
      </Group>
    </Stack>
  )
}

/** A program each, which sends a request that the source takes. */
const ExampleTabs = ({ examples }: Pick<Revealed['source'], 'examples'>) => {
  const shown = Object.entries(EXAMPLES).flatMap(([name, title]) => {
    // The names are those of the operation’s own shape.
    const text = examples?.[name as keyof typeof EXAMPLES]
    return text === undefined ? [] : [{ name, title, text }]
  })
  if (shown.length === 0) return null
  return (
    <Tabs defaultValue={shown[0]?.name ?? null} keepMounted={false}>
      <Tabs.List aria-label={t('Examples')}>
        {shown.map(({ name, title }) => (
          <Tabs.Tab key={name} value={name}>
            {title}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {shown.map(({ name, title, text }) => (
        <Tabs.Panel key={name} value={name} pt="md">
          <Copyable label={t('Example: {title}', { title })} text={text} />
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

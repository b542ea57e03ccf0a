import { Badge, Button, Group, PasswordInput, Stack, Text, Title } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { TEST_SUBJECT } from '../../../../schemas/domain/source-form.ts'
import { call, useWrite } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'
import { NumberField } from '../../parts/controls.tsx'
import { Copyable } from '../../parts/copyable.tsx'
import { FormFailure } from '../../parts/forms/form-notes.tsx'
import { sendTest, TestSignals } from '../../parts/test-signals.tsx'
import { kindOf } from './kinds.ts'
import type { Source } from './source-table.tsx'
import { filledIn, written } from './test-request.ts'

interface Props {
  readonly source: Source
}

/** “Send a test”: what a right request looks like, and what the endpoint answers to it. */
export const SendTest = ({ source }: Props) => (
  <Stack component="section" gap="sm" aria-label={t('Test')}>
    <Title order={3} size="h3">
      {t('Test')}
    </Title>
    {kindOf(source).reachedBy === 'mail' ? (
      <MailTest address={source.address} />
    ) : (
      <PostTest key={source.id} source={source} />
    )}
  </Stack>
)

const MailTest = ({ address }: { readonly address: string | null }) =>
  address === null ? (
    <Text size="sm" c="dimmed">
      {t('There is no address to write to.')}
    </Text>
  ) : (
    <Group>
      <Button
        component="a"
        href={`mailto:${address}?subject=${encodeURIComponent(TEST_SUBJECT)}`}
        variant="default"
        size="xs"
      >
        {t('Send a test mail')}
      </Button>
    </Group>
  )

const PostTest = ({ source }: Props) => {
  const { id } = source
  const { asksSecret, asksValue } = kindOf(source)
  const [secret, setSecret] = useState('')
  const [value, setValue] = useState(1)
  const send = async (filled: Parameters<typeof filledIn>[1]) => {
    const { data } = await call('sign_test_request', { id })
    const request = filledIn(data, filled)
    return { request, answer: await sendTest(request) }
  }
  const testing = useWrite(send, { invalidates: ['source_health'] })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    testing.mutate({ secret, value: asksValue ? value : null })
  }
  return (
    <>
      <form onSubmit={submit}>
        <Group gap="sm" align="flex-end">
          {asksSecret && (
            <PasswordInput
              label={t('Secret')}
              description={t('Only its hash is stored here.')}
              required
              withAsterisk={false}
              autoComplete="off"
              value={secret}
              onChange={event => setSecret(event.currentTarget.value)}
              visibilityToggleFocusable
              visibilityToggleButtonProps={{ 'aria-label': t('Show what is written') }}
              flex={1}
              miw={200}
            />
          )}
          {asksValue && (
            <NumberField
              label={t('Value')}
              description={t('Any number: the value of a test is not kept.')}
              value={value}
              onChange={given => setValue(Number(given))}
              w={160}
            />
          )}
          <Button type="submit" variant="default" loading={testing.isPending}>
            {t('Send a test')}
          </Button>
        </Group>
      </form>
      <div aria-live="polite">
        {testing.data !== undefined && (
          <Stack gap="sm">
            <Badge color={testing.data.answer.status < 300 ? 'teal' : 'red'} variant="light" tt="none" size="lg">
              {testing.data.answer.status < 300 ? t('Accepted') : t('Refused')}: {testing.data.answer.status}
            </Badge>
            <Copyable label={t('What was sent')} text={written(testing.data.request)} />
            <Copyable label={t('What was answered')} text={testing.data.answer.body} />
          </Stack>
        )}
      </div>
      <FormFailure form={null} error={testing.error} title={t('The test could not be sent')} />
      <TestSignals source={id} isAwaited={testing.isSuccess} />
    </>
  )
}

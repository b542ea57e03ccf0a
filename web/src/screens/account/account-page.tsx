import { Alert, Anchor, Button, Center, Paper, Stack, Text, Title } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { addressAfterSignIn } from '../../api/accounts.ts'
import { useWrite } from '../../api/hooks.ts'
import { messageOf } from '../../api/message-of.ts'
import { t } from '../../language/messages.ts'

interface FrameProps {
  readonly title: string
  readonly about: string
  readonly children: ReactNode
  /** The way to the other form. */
  readonly instead: { readonly text: string; readonly link: string; readonly to: string }
}

/** What sign-in and sign-up share: something in the middle of an empty page. */
export const AccountFrame = ({ title, about, children, instead }: FrameProps) => {
  const { search } = useLocation()
  return (
    <Center component="main" mih="100dvh" p="md" bg="var(--app-raised)">
      <title>{t('{title} · Assay', { title })}</title>
      <Stack w="100%" maw={380} gap="md">
        <Stack gap={4}>
          <Title order={1}>{title}</Title>
          <Text c="dimmed" size="sm">
            {about}
          </Text>
        </Stack>
        <Paper withBorder p="lg" radius="lg" shadow="xs" bg="var(--app-ground)">
          {children}
        </Paper>
        <Text size="sm" c="dimmed" ta="center">
          {instead.text}{' '}
          <Anchor component={Link} to={`${instead.to}${search}`} size="sm" underline="always">
            {instead.link}
          </Anchor>
        </Text>
      </Stack>
    </Center>
  )
}

interface Props extends FrameProps {
  readonly action: string
  /** Sends the form’s fields, by their names. */
  readonly send: (fields: Readonly<Record<string, string>>) => Promise<unknown>
}

/** A form, its inputs the children, which leads into the app. */
export const AccountPage = ({ action, send, children, ...frame }: Props) => {
  const { search } = useLocation()
  const sending = useWrite(send, {
    leavesPage: true,
    // The app starts afresh, with nothing in memory that another person read.
    onSuccess: () => location.assign(addressAfterSignIn(search)),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value)])
    sending.mutate(Object.fromEntries(fields))
  }
  return (
    <AccountFrame {...frame}>
      <form method="post" onSubmit={submit}>
        <Stack gap="md">
          {children}
          {sending.error !== null && (
            <Alert color="red" variant="light" role="alert" p="sm">
              {messageOf(sending.error)}
            </Alert>
          )}
          <Button type="submit" loading={sending.isPending || sending.isSuccess} fullWidth>
            {action}
          </Button>
        </Stack>
      </form>
    </AccountFrame>
  )
}

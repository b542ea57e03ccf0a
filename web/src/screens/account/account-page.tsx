import { Alert, Anchor, Button, Center, Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { enter, readSession } from '../../api/accounts.ts'
import { messageOf } from '../../api/http.ts'
import { useWrite } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'

interface FrameProps {
  readonly title: string
  readonly about: string
  readonly children: ReactNode
  /** The way to the other form, where there is one. */
  readonly instead?: { readonly text: string; readonly link: string; readonly to: string }
}

/** What the page was called before, in this document; null where it has just been loaded. */
let lastTitle: string | null = null

/** What sign-in and sign-up share: something in the middle of an empty page. */
export const AccountFrame = ({ title, about, children, instead }: FrameProps) => {
  const { search, key } = useLocation()
  const heading = useRef<HTMLHeadingElement>(null)
  // A link within the app has led here, or what was sent was answered in the form's place, and has gone: where no field
  // takes the focus, the heading says where one is.
  const isLedHere = key !== 'default'
  useEffect(() => {
    const isAnother = lastTitle !== null && lastTitle !== title
    lastTitle = title
    if ((isLedHere || isAnother) && document.activeElement === document.body) heading.current?.focus()
  }, [isLedHere, title])
  return (
    <Center component="main" mih="100dvh" p="md" bg="var(--app-raised)">
      <title>{t('{title} · Assay', { title })}</title>
      <Stack w="100%" maw={380} gap="md">
        <Stack gap={4}>
          <Title order={1} ref={heading} tabIndex={-1}>
            {title}
          </Title>
          <Text c="dimmed" size="sm">
            {about}
          </Text>
        </Stack>
        <Paper withBorder p="lg" radius="lg" shadow="xs" bg="var(--app-ground)">
          {children}
        </Paper>
        {instead !== undefined && (
          <Text size="sm" c="dimmed" ta="center">
            {instead.text}{' '}
            <Anchor component={Link} to={`${instead.to}${search}`} size="sm" underline="always">
              {instead.link}
            </Anchor>
          </Text>
        )}
      </Stack>
    </Center>
  )
}

interface FormProps {
  readonly action: string
  /** Sends the form’s fields, by their names. */
  readonly send: (fields: Readonly<Record<string, string>>) => Promise<unknown>
  readonly children: ReactNode
}

interface Props extends FrameProps, FormProps {
  /** Whether what was answered lets the person in; else the page says what comes first. */
  readonly admits?: (answer: unknown) => boolean
  /** Another way in, above the form. */
  readonly before?: ReactNode
  /** Another way in, below the form. */
  readonly after?: ReactNode
}

/**
 * A form, its inputs the children, which leads into the app: that starts afresh, with nothing in memory that another
 * person read.
 */
export const AccountPage = ({ action, send, children, admits = () => true, before, after, ...frame }: Props) => {
  const { search } = useLocation()
  // Whoever is signed in, here or in another tab, needs no form; but is to read why another way in refused them.
  const { data: session } = useQuery({ queryKey: ['session'], queryFn: readSession })
  const isIn = session != null && !new URLSearchParams(search).has('error')
  useEffect(() => {
    if (isIn) enter(search)
  }, [isIn, search])
  return (
    <AccountFrame {...frame}>
      {before}
      <AccountForm action={action} send={send} onSuccess={answer => admits(answer) && enter(search)} leavesPage>
        {children}
      </AccountForm>
      {after}
    </AccountFrame>
  )
}

interface AccountFormProps extends FormProps {
  readonly onSuccess: (answer: unknown) => void
  readonly leavesPage?: boolean
}

/** Inputs, what went wrong, and the button that sends them. */
export const AccountForm = ({ action, send, onSuccess, leavesPage = false, children }: AccountFormProps) => {
  const sending = useWrite(send, { leavesPage, onSuccess })
  const button = useRef<HTMLButtonElement>(null)
  const { error } = sending
  // While it was sent the button was disabled, and had no focus to keep.
  useEffect(() => {
    if (error !== null && document.activeElement === document.body) button.current?.focus()
  }, [error])
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value)])
    sending.mutate(Object.fromEntries(fields))
  }
  return (
    <form method="post" onSubmit={submit}>
      <Stack gap="md">
        {children}
        {error !== null && (
          <Alert color="red" variant="light" role="alert" p="sm">
            {messageOf(error)}
          </Alert>
        )}
        <Button ref={button} type="submit" loading={sending.isPending || sending.isSuccess} fullWidth>
          {action}
        </Button>
      </Stack>
    </form>
  )
}

/**
 * What stands after the # of a link, taken out of the address, so that no history and nobody who looks at the screen
 * has it.
 */
export const useLinkToken = (): string => {
  const [token, setToken] = useState('')
  // Another link in this tab changes nothing but what is after the #.
  useEffect(() => {
    const take = () => {
      if (location.hash === '') return
      setToken(location.hash.slice(1))
      history.replaceState(history.state, '', location.pathname)
    }
    take()
    addEventListener('hashchange', take)
    return () => removeEventListener('hashchange', take)
  }, [])
  return token
}

const STORED = 'assay-invitation'

/**
 * The token after the # of an invitation’s link, kept by this tab while the person signs in; empty where no link was
 * followed. It is taken out of the address, so that no history and nobody who looks at the screen has it.
 */
export const invitationToken = (): string => {
  const given = location.hash.slice(1)
  if (given === '') return sessionStorage.getItem(STORED) ?? ''
  sessionStorage.setItem(STORED, given)
  history.replaceState(history.state, '', location.pathname)
  return given
}

export const forgetInvitation = (): void => sessionStorage.removeItem(STORED)

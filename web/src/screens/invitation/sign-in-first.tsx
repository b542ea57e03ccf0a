import { Button, Group, Text, Title } from '@mantine/core'
import { Link } from 'react-router'

const BACK = `?back=${encodeURIComponent('/app/invitation')}`

/** For whoever is not signed in: an account first, which leads back here. */
export const SignInFirst = () => (
  <>
    <Title order={1} mb="sm">
      You are invited to Assay
    </Title>
    <Text size="sm" c="dimmed" mb="lg">
      Sign in, or create an account, to see the workspace and join it. This browser tab keeps the invitation meanwhile.
    </Text>
    <Group gap="sm" grow>
      <Button component={Link} to={`/sign-up${BACK}`}>
        Create an account
      </Button>
      <Button component={Link} to={`/sign-in${BACK}`} variant="default">
        Sign in
      </Button>
    </Group>
  </>
)

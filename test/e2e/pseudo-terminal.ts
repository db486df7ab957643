import { spawnSync } from 'node:child_process'
import { BINARY, runProcess, type World } from './world.ts'

/**
 * A terminal for the child, driven by what appears on it: [wait for this text, then type that]. Python has one in its
 * standard library and Node has none.
 */
const DRIVER = `
import fcntl, json, os, pty, select, struct, sys, termios, time
call = json.loads(sys.stdin.read())
pid, fd = pty.fork()
if pid == 0:
    os.chdir(call['cwd'])
    os.execvpe(call['argv'][0], call['argv'], call['env'])
fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack('HHHH', 24, call['width'], 0, 0))
seen, looked, typed, deadline = b'', 0, 0, time.time() + 20
while time.time() < deadline:
    if typed < len(call['say']):
        wait, say = call['say'][typed]
        at = seen.find(wait.encode(), looked)
        if at >= 0:
            looked = at + len(wait.encode())
            os.write(fd, say.encode())
            typed += 1
            continue
    if select.select([fd], [], [], 0.1)[0]:
        try:
            chunk = os.read(fd, 65536)
        except OSError:
            break
        if not chunk:
            break
        seen += chunk
_, status = os.waitpid(pid, os.WNOHANG if time.time() >= deadline else 0)
print(json.dumps({'screen': seen.decode('utf8', 'replace'), 'code': os.waitstatus_to_exitcode(status)}))
`

const found =
  process.platform === 'win32'
    ? undefined
    : spawnSync('python3', ['-c', 'import pty, os; os.waitstatus_to_exitcode'])

/** Why no terminal can be made here, in words; undefined when one can. */
export const NO_TERMINAL =
  found?.status === 0 ? undefined : 'skipped: no python3 with a pty module to make a terminal with'

export async function onTerminal(
  world: World,
  words: readonly string[],
  options: {
    say?: readonly (readonly [waitFor: string, type: string])[]
    env?: Readonly<Record<string, string>>
    width?: number
  } = {},
): Promise<{ screen: string; code: number }> {
  const call = {
    argv: [process.execPath, BINARY, ...words],
    cwd: world.root,
    env: { ...world.environment, TERM: 'xterm-256color', ...options.env },
    width: options.width ?? 80,
    say: options.say ?? [],
  }
  const env = Object.fromEntries(
    Object.entries(process.env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  )
  const run = await runProcess('python3', ['-c', DRIVER], {
    cwd: world.root,
    env,
    input: JSON.stringify(call),
  })
  const { screen, code } = JSON.parse(run.stdout) as { screen: string; code: number }
  return { screen: screen.replaceAll('\r\n', '\n'), code }
}

"""The part of image-test.py that runs the commands of the compose files under runc: compose.yaml's on a folder,
compose.postgres.yaml's on the PostgreSQL server that scripts/with-postgres.sh started and whose variables are set."""
import os, re, subprocess, tempfile

import yaml

from checks import free_port, wait

TEST_VALUES = {"POSTGRES_PASSWORD": "not a secret; trust is on"}


def services(path):
    """The services of a compose file as Docker sees them; variables have their defaults."""
    def value(match):
        name, _, default = match[1].partition(":")
        return TEST_VALUES.get(name, default.removeprefix("-"))

    def filled(part):
        if isinstance(part, dict):
            return {name: filled(each) for name, each in part.items()}
        if isinstance(part, list):
            return [filled(each) for each in part]
        return re.sub(r"\$\{([^}]+)\}", value, part) if isinstance(part, str) else part

    with open(path) as file:
        return filled(yaml.safe_load(file))["services"]


class Runner:
    """Runs services of the image as their file says."""

    def __init__(self, test, image, checks):
        self.test, self.image, self.checks = test, image, checks
        self.password = os.path.join(image.work, "first-password")
        with open(self.password, "w") as file:
            file.write(test.PASSWORD)
        os.chmod(self.password, 0o644)

    def start(self, service, changes, mounts=(), data=None):
        self.checks.that(f"{service['command']}: isolated as image-test runs it", all((
            service["read_only"] is True, service["tmpfs"] == ["/tmp"], service["cap_drop"] == ["ALL"],
            service["security_opt"] == ["no-new-privileges:true"], service["stop_grace_period"] == "30s")))
        environment = {**service["environment"], **changes}
        secrets = [(self.password, "/run/secrets/first-password")] if service.get("secrets") else []
        return self.test.Container(
            self.image, service["command"], environment=environment, mounts=[*mounts, *secrets], data=data)


def versions(checks):
    """Both files name the image of this version."""
    if not os.path.exists("VERSION"):
        return
    with open("VERSION") as file:
        image = f"metube-rss:{file.read().strip()}"
    named = {service["image"] for path in ("compose.yaml", "compose.postgres.yaml") for service in services(path).values()}
    checks.equal("compose files: the image of this version", sorted(n for n in named if n.startswith("metube-rss:")), [image])


def household(runner, fixtures):
    """compose.yaml: the hub starts with its first user, who logs in; again at a second start."""
    test, checks = runner.test, runner.checks
    hub = services("compose.yaml")["hub"]
    checks.equal("compose.yaml: the health check is the image's", hub["healthcheck"]["test"], runner.image.config["Healthcheck"]["Test"])
    checks.equal("compose.yaml: port", hub["ports"], ["127.0.0.1:5057:5057"])
    data = tempfile.mkdtemp(dir=runner.image.work)
    os.chown(data, test.USER, test.USER)
    first_user = test.has_setup(runner.image)
    if not first_user:
        print("      not in this build: METUBE_HUB_FIRST_USER; the user is added by a command")
        test.run(runner.image, ["user", "add", "admin"], data=data, stdin=test.PASSWORD.encode() + b"\n")
    for start in ("first", "second"):
        port = free_port()
        container = runner.start(
            hub, {"METUBE_HUB_LISTEN": f"127.0.0.1:{port}", "METUBE_RSS_FEEDS_URL": fixtures.url}, data=data)
        checks.that(f"compose.yaml: answers at the {start} start", wait(test.answers(port)), container.log)
        status, token = container.execute("/usr/bin/metube-hub", "token", "add", "admin", f"compose-{start}")
        checks.equal(f"compose.yaml: the first user is there at the {start} start", status, 0, token + container.log)
        checks.equal("compose.yaml: healthy", container.execute(*hub["healthcheck"]["test"][1:])[0], 0, container.log)
        checks.that("compose.yaml: stops with 0, in {1:.1f} s", *checks.stopped(container))


def many(runner, fixtures):
    """compose.postgres.yaml: migrate ends with 0, then a web process and a poller work on the tables."""
    test, checks = runner.test, runner.checks
    all_services = services("compose.postgres.yaml")
    for name in ("web", "poller"):
        condition = all_services[name]["depends_on"]["migrate"]["condition"]
        checks.equal(f"compose.postgres.yaml: {name} waits for migrate", condition, "service_completed_successfully")
    checks.that("compose.postgres.yaml: migrate is not restarted", all_services["migrate"]["restart"] == "no")
    # The server listens on a socket in a folder; its user and database have other names.
    os.chmod(os.environ["PGHOST"], 0o755)
    mounts = [(os.environ["PGHOST"], "/run/postgresql")]
    port = free_port()
    changes = {
        "METUBE_HUB_DATABASE": f"host=/run/postgresql dbname={os.environ['PGDATABASE']} user={os.environ['PGUSER']}",
        "METUBE_HUB_LISTEN": f"127.0.0.1:{port}", "METUBE_RSS_FEEDS_URL": fixtures.url,
    }
    for attempt in ("first", "second"):
        container = runner.start(all_services["migrate"], changes, mounts)
        checks.equal(f"compose.postgres.yaml: migrate, the {attempt} time", container.ended(60), 0, container.log)
    if not test.has_setup(runner.image):
        print("      not in this build: METUBE_HUB_FIRST_USER; the user is added by a command")
        test.run(runner.image, ["user", "add", "admin"], stdin=test.PASSWORD.encode() + b"\n", mounts=mounts,
                 environment={**all_services["migrate"]["environment"], **changes})
    web = runner.start(all_services["web"], changes, mounts)
    checks.that("compose.postgres.yaml: web answers", wait(test.answers(port)), web.log)
    poller = runner.start(all_services["poller"], changes, mounts)
    status, token = web.execute("/usr/bin/metube-hub", "token", "add", "admin", "compose")
    checks.equal("compose.postgres.yaml: the first user is there", status, 0, token + web.log)
    with open("feeds.opml", "rb") as file:
        status, text = test.get(port, "/api/v1/import", token.split()[-1], file.read())
    checks.equal("compose.postgres.yaml: imports", status, 200, text)
    found = lambda: "watch?v=" in test.get(port, "/api/v1/videos?limit=1", token.split()[-1])[1]
    checks.that("compose.postgres.yaml: the poller finds videos", wait(found, 90), poller.log + web.log)
    status, text = web.execute(*all_services["web"]["healthcheck"]["test"][1:])
    checks.equal("compose.postgres.yaml: web is healthy", status, 0, text)
    for name, container in (("web", web), ("poller", poller)):
        checks.that(f"compose.postgres.yaml: {name} stops with 0, in {{1:.1f}} s", *checks.stopped(container))


def main(test, image, fixtures):
    """Both; the second in a process of its own, with a server."""
    runner = Runner(test, image, test.checks)
    if os.environ.get("PGHOST"):
        many(runner, fixtures)
    else:
        versions(test.checks)
        household(runner, fixtures)

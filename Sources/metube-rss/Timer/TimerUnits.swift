/// The two units that have systemd poll every hour.
struct TimerUnits {
  /// Whose they are.
  enum Owner {
    /// A person's own manager: `systemctl --user`.
    case person
    /// The system's manager, under a user that does nothing else.
    case system
  }

  /// The name of both, before `.service` and `.timer`.
  static let name = "metube-rss"

  /// Whose manager reads them.
  let owner: Owner
  /// The absolute path of this program.
  let program: String
  /// The folder of `--home`, where everything is kept in one.
  let home: String?
  /// The file of the settings.
  let settings: String
  /// The folders it may write to; the system's has its own made by systemd.
  let writable: [String]
  /// Variables that a poll needs to find the same folders: `XDG_DATA_HOME=/mnt/data`.
  let environment: [String]
  /// How long the program of `METUBE_RSS_ON_NEW` may run, in seconds.
  let hookSeconds: Int
  /// Whether it is left without a file system of its own, for kernels that refuse that to people.
  let isPlain: Bool

  /// The text of `metube-rss.service`.
  var service: String {
    var lines = [
      "[Unit]", "Description=Ask the feeds of what you follow on YouTube what is new",
      "Documentation=https://github.com/metube-rss/metube-rss", "", "[Service]", "Type=oneshot", "ExecStart=\(command)",
      "# In part, and an outage of YouTube's, are no failures of this unit.", "SuccessExitStatus=1 75",
      "EnvironmentFile=-\(UnitText.file(settings))",
    ]
    lines += environment.map { "Environment=\(UnitText.word($0))" }
    lines += owner == .system ? TimerUnits.systemUser : []
    lines += ["TimeoutStartSec=\(timeLimit)", "MemoryMax=1G", "TasksMax=64", "Nice=10", "UMask=0077"]
    lines += isPlain ? ["NoNewPrivileges=yes"] : confinement
    return lines.map { "\($0)\n" }.joined()
  }

  /// The text of `metube-rss.timer`.
  var timer: String {
    """
    [Unit]
    Description=Poll YouTube's feeds every hour

    [Timer]
    OnCalendar=hourly
    # Not all at the full hour; each channel has a gap of its own besides.
    RandomizedDelaySec=10min
    # A machine that was off polls once when it is on again.
    Persistent=true

    [Install]
    WantedBy=timers.target

    """
  }

  /// The line of a crontab that does the same; the minute is one of this person's own.
  func crontab(minute: Int) -> String {
    let variables = environment.isEmpty ? [] : ["env"] + environment
    // cron takes a `%` for the end of the line.
    let words = (variables + [program] + arguments).map {
      TimerUnits.quoted($0).split(separator: "%", omittingEmptySubsequences: false)
    }
    return "\(minute) * * * * " + words.map { $0.joined(separator: "\\%") }.joined(separator: " ")
  }

  private var arguments: [String] {
    ["poll", "--quiet", "--deadline", "\(TimerUnits.deadline)"] + (home.map { ["--home", $0] } ?? [])
  }

  private var command: String {
    ([UnitText.word(program)] + arguments.map(UnitText.argument)).joined(separator: " ")
  }

  /// For how many seconds a poll asks feeds.
  private static let deadline = 900

  /// After how many seconds systemd ends what still runs: the feeds, the hook, and four minutes for all besides.
  private var timeLimit: Int { TimerUnits.deadline + hookSeconds + 240 }

  private static let systemUser = [
    "User=metube-rss", "Group=metube-rss", "StateDirectory=metube-rss", "StateDirectoryMode=0700",
  ]

  /// What it may not do. systemd-analyze(1) security weighs it.
  private var confinement: [String] {
    let files = ["ProtectSystem=strict", owner == .person ? "ProtectHome=read-only" : "ProtectHome=yes"]
    let folders = writable.map { "ReadWritePaths=-\(UnitText.word($0))" }
    let usual = [
      "NoNewPrivileges=yes", "PrivateTmp=yes", "ProtectControlGroups=yes", "ProtectHostname=yes",
      "ProtectKernelTunables=yes", "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK",
      "RestrictNamespaces=yes", "RestrictRealtime=yes", "RestrictSUIDSGID=yes", "LockPersonality=yes",
      "SystemCallArchitectures=native", "SystemCallFilter=@system-service",
    ]
    // The first five take capabilities away, which a person's manager has no right to: it would end with status 218.
    let ofSystem = [
      "CapabilityBoundingSet=", "PrivateDevices=yes", "ProtectClock=yes", "ProtectKernelLogs=yes",
      "ProtectKernelModules=yes", "PrivateUsers=yes", "ProtectProc=invisible", "ProcSubset=pid", "RemoveIPC=yes",
      "SystemCallFilter=~@privileged",
    ]
    return files + folders + usual + (owner == .system ? ofSystem : [])
  }

  /// A word of a shell's command line.
  private static func quoted(_ word: String) -> String {
    let isPlain = word.allSatisfy { ($0.isASCII && ($0.isLetter || $0.isNumber)) || "/._-%+@:=,".contains($0) }
    return isPlain
      ? word : "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}

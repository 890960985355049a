// SPDX-License-Identifier: MIT
// C++: the same library behind a handle that lets go by itself, and errors as exceptions.
#include <cstdio>
#include <jawari/jawari.h>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct Destroy {
  void operator()(JwWorld* world) const { jw_world_destroy(world); }
};
using World = std::unique_ptr<JwWorld, Destroy>;

void must(JwStatus status, const JwWorld* world) {
  if (status != JW_STATUS_OK) {
    throw std::runtime_error(std::string(jw_status_name(status)) + ": " + jw_world_error(world));
  }
}

World create(double rate) {
  JwWorldDef def = jw_world_default();
  def.sample_rate = rate;
  JwWorld* made = nullptr;
  must(jw_world_create(&def, &made), nullptr);
  return World(made);
}

// A membrane of a drum, struck: its first sample, and how loud it becomes.
std::vector<double> drum(double rate, std::size_t frames) {
  const World world = create(rate);
  JwObjectId skin;
  JwPlateDef def = jw_plate_default();
  def.size[0] = def.size[1] = 0.3;
  def.mass_per_area = 0.26, def.young = 0.0, def.tension = 2000.0;
  def.loss[0] = 10.0;
  must(jw_world_add_plate(world.get(), &def, &skin), world.get());
  JwForceDef blow = jw_force_default();
  blow.port = jw_port(skin, 0.4), blow.port.y = 0.4, blow.amplitude = 20.0;
  must(jw_world_add_force(world.get(), &blow, nullptr), world.get());
  JwPickupDef pickup = jw_pickup_default();
  pickup.port = jw_port(skin, 0.7), pickup.port.y = 0.6;
  must(jw_world_add_pickup(world.get(), &pickup, nullptr), world.get());
  must(jw_world_prepare(world.get()), world.get());
  std::printf("fundamental %.1f Hz\n", jw_world_object_info(world.get(), skin).fundamental);

  std::vector<double> heard(frames);
  double* const channels[] = {heard.data()};
  must(jw_world_run_double(world.get(), channels, static_cast<uint32_t>(frames)), world.get());
  return heard;
}

} // namespace

int main() {
  double most = 0.0;
  for (const double sample : drum(44100.0, 22050)) {
    most = sample > most ? sample : most;
  }
  std::printf("at most %.2f m/s\n", most);
  try {
    create(10.0);
  } catch (const std::runtime_error& error) {
    std::printf("%s\n", error.what());
  }
}
